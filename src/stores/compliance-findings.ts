import type { ComplianceFinding, ComplianceReason } from '../core/compliance.js';
import type { ComplianceJobId, PostId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId, asOptionalNumber, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

/** What is looked at of a stored post. */
export interface PostAuthors {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly repostedPostId?: PostId;
}

/** Who wrote the stored posts among `ids`. */
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

/** Those of the posts that were deleted here. */
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

/** Those of the posts that lost their place. */
export async function findScrubbedPostIds(db: Queryable, ids: readonly PostId[]): Promise<PostId[]> {
  const rows = await db.all(sql`SELECT post_id FROM scrubbed_posts WHERE post_id IN ${list(ids)}`);
  return rows.map((row) => asId(row.post_id));
}

/** Where the times of a finding are read, and under which names. */
const SOURCES = {
  posts: { id: 'id', redactedAt: 'NULL' },
  users: { id: 'id', redactedAt: 'NULL' },
  deleted_posts: { id: 'post_id', redactedAt: 'deleted_at' },
  deleted_users: { id: 'user_id', redactedAt: 'deleted_at' },
  scrubbed_posts: { id: 'post_id', redactedAt: 'scrubbed_at' },
} as const;

export type FindingSource = keyof typeof SOURCES;

/** Stores findings with one reason whose times are in `source`; an id that has one keeps that. */
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

/** What was found for a job, by ascending id, `limit` at a time after an id. */
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

/** Removes up to `limit` findings of a job; resolves to how many there were. */
export async function deleteFindings(tx: Tx, jobId: ComplianceJobId, limit: number): Promise<number> {
  return tx.run(sql`
    DELETE FROM compliance_findings
    WHERE job_id = ${jobId} AND subject_id IN (
      SELECT subject_id FROM compliance_findings WHERE job_id = ${jobId} LIMIT ${limit})`);
}
