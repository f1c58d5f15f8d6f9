import type { PostId, UserId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { asJson } from './decode.js';
import type { Queryable } from './engine.js';
import { sql } from './sql.js';

/** More than that wait only in a storm; the oldest of them are written out first. */
const MAX_LISTED = 200;

/** A post whose author's followers may not have it in their timelines yet. */
export interface PendingFanOut {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
}

/** The newest posts that are being written out, as their jobs say. */
export async function listPendingFanOuts(db: Queryable): Promise<PendingFanOut[]> {
  const rows = await db.all(sql`
    SELECT payload FROM jobs WHERE kind = 'fan-out-post' ORDER BY id DESC LIMIT ${MAX_LISTED}`);
  return rows.flatMap((row) => {
    const payload = asJson<JobPayloads['fan-out-post']>(row.payload);
    if (!payload) return [];
    const { postId, authorId, createdAtMs } = payload;
    return [{ id: BigInt(postId) as PostId, authorId: BigInt(authorId) as UserId, createdAtMs }];
  });
}
