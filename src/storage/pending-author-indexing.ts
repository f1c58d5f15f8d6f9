import type { UserId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { asJson } from './decode.js';
import type { Queryable } from './queryable.js';
import { sql } from './sql.js';

/** The authors whose posts the search index has yet to look at again, as their jobs say. */
export async function listPendingAuthors(db: Queryable): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT payload FROM jobs WHERE kind = 'index-author'`);
  const payloads = rows.map((row) => asJson<JobPayloads['index-author']>(row.payload));
  return payloads.flatMap((payload) => (payload ? [BigInt(payload.userId) as UserId] : []));
}
