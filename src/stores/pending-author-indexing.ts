import type { UserId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { asJson } from '../database/decode.js';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';

/** Returns the authors whose posts the search index must still reindex or remove, according to the pending jobs. */
export async function listPendingAuthors(db: Queryable): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT payload FROM jobs WHERE kind IN ('index-author', 'delete-account')`);
  const payloads = rows.map((row) => asJson<JobPayloads['index-author' | 'delete-account']>(row.payload));
  return payloads.flatMap((payload) => (payload ? [BigInt(payload.userId) as UserId] : []));
}
