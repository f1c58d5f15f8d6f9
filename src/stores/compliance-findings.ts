import type { ComplianceFinding, ComplianceReason } from '../core/compliance.js';
import type { ComplianceJobId, PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asText,
  list,
  rawSql,
  sql,
} from '../database/sql.js';
import { defineTable, listQuery } from '../database/table.js';

/** The columns of a stored post that compliance jobs read. */
export type PostAuthors = Pick<Post, 'id' | 'authorId' | 'repostedPostId'>;

/** Returns the authors of the stored posts among `ids`, by id. */
export const findPostAuthors = defineTable<PostAuthors, PostId>('posts', 'id', {
  id: ['id', asId],
  authorId: ['author_id', asId],
  repostedPostId: ['reposted_post_id', asOptionalId],
}).findAmong;

/** Returns the posts whose location was removed. */
export const findScrubbedPostIds = listQuery<PostId, [ids: readonly PostId[]]>(
  asId,
  'SELECT post_id FROM scrubbed_posts WHERE post_id IN ?',
);

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

const FINDINGS = defineTable<ComplianceFinding, bigint>('compliance_findings', 'id', {
  id: ['subject_id', asId],
  reason: ['reason', asText],
  createdAtMs: ['created_at', asNumber],
  redactedAtMs: ['redacted_at', asOptionalNumber],
});

/** Returns up to `limit` findings of a job with ids above `afterId`, ordered by id. */
export function listFindings(db: Queryable, jobId: ComplianceJobId, afterId: bigint, limit: number) {
  const condition = sql`job_id = ${jobId} AND subject_id > ${afterId} ORDER BY subject_id LIMIT ${limit}`;
  return FINDINGS.list(db, condition);
}

/** Deletes up to `limit` findings of a job. Returns the number deleted. */
export async function deleteFindings(tx: Tx, jobId: ComplianceJobId, limit: number): Promise<number> {
  return tx.run(sql`
    DELETE FROM compliance_findings
    WHERE job_id = ${jobId} AND subject_id IN (
      SELECT subject_id FROM compliance_findings WHERE job_id = ${jobId} LIMIT ${limit})`);
}
