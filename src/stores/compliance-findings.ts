import type { ComplianceFinding, ComplianceReason } from '../core/compliance.js';
import type { ComplianceJobId, PostId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId, asOptionalNumber, asText, readIds } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

/** The columns of a stored post that compliance jobs read. */
export interface PostAuthors {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly repostedPostId?: PostId;
}

/** Returns the authors of the stored posts among `ids`. */
export async function findPostAuthors(db: Queryable, ids: readonly PostId[]): Promise<PostAuthors[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(sql`SELECT id, author_id, reposted_post_id FROM posts WHERE id IN ${list(ids)}`);
  return rows.map((row) => ({
    id: asId(row.id),
    authorId: asId(row.author_id),
    repostedPostId: asOptionalId(row.reposted_post_id),
  }));
}

export interface DeletedPost {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly deletedAtMs: number;
}

/** Returns the posts that were deleted on this server. */
export async function findDeletedPosts(db: Queryable, ids: readonly PostId[]): Promise<DeletedPost[]> {
  const rows = await db.all(
    sql`SELECT post_id, author_id, deleted_at FROM deleted_posts WHERE post_id IN ${list(ids)}`,
  );
  return rows.map((row) => ({
    id: asId(row.post_id),
    authorId: asId(row.author_id),
    deletedAtMs: asNumber(row.deleted_at),
  }));
}

/** Returns the posts whose location was removed. */
export function findScrubbedPostIds(db: Queryable, ids: readonly PostId[]): Promise<PostId[]> {
  return readIds(db, sql`SELECT post_id AS id FROM scrubbed_posts WHERE post_id IN ${list(ids)}`);
}

/** The tables, and their columns, from which the times of a finding are read. */
const SOURCES = {
  posts: { id: 'id', redactedAt: 'NULL' },
  users: { id: 'id', redactedAt: 'NULL' },
  deleted_posts: { id: 'post_id', redactedAt: 'deleted_at' },
  deleted_users: { id: 'user_id', redactedAt: 'deleted_at' },
  scrubbed_posts: { id: 'post_id', redactedAt: 'scrubbed_at' },
} as const;

export type FindingSource = keyof typeof SOURCES;

/** Stores findings with one reason; their times come from `source`. An existing finding is kept. */
export async function insertFindings(
  tx: Tx,
  jobId: ComplianceJobId,
  source: FindingSource,
  reason: ComplianceReason,
  ids: readonly bigint[],
): Promise<void> {
  if (ids.length === 0) return;
  const idColumn = rawSql(SOURCES[source].id);
  await tx.run(sql`
    INSERT INTO compliance_findings (job_id, subject_id, reason, created_at, redacted_at)
    SELECT ${jobId}, ${idColumn}, ${reason}, created_at, ${rawSql(SOURCES[source].redactedAt)}
    FROM ${rawSql(source)} WHERE ${idColumn} IN ${list(ids)}
    ON CONFLICT DO NOTHING`);
}

/** Returns up to `limit` findings of a job with ids above `afterId`, ordered by id. */
export async function listFindings(
  db: Queryable,
  jobId: ComplianceJobId,
  afterId: bigint,
  limit: number,
): Promise<ComplianceFinding[]> {
  const rows = await db.all(sql`
    SELECT subject_id, reason, created_at, redacted_at FROM compliance_findings
    WHERE job_id = ${jobId} AND subject_id > ${afterId} ORDER BY subject_id LIMIT ${limit}`);
  return rows.map((row) => ({
    id: asId(row.subject_id),
    reason: asText(row.reason) as ComplianceReason,
    createdAtMs: asNumber(row.created_at),
    redactedAtMs: asOptionalNumber(row.redacted_at),
  }));
}

/** Deletes up to `limit` findings of a job. Returns the number deleted. */
export async function deleteFindings(tx: Tx, jobId: ComplianceJobId, limit: number): Promise<number> {
  return tx.run(sql`
    DELETE FROM compliance_findings
    WHERE job_id = ${jobId} AND subject_id IN (
      SELECT subject_id FROM compliance_findings WHERE job_id = ${jobId} LIMIT ${limit})`);
}
