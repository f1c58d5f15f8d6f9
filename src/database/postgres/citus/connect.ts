import { DEFAULTS } from '../../options.js';
import { createConnections, type Connection } from '../connections.js';
import type { Queryable } from '../../queryable.js';
import type { Sql } from '../../sql.js';

/** Runs `work` on one connection to the coordinator, whose answers may take as long as they need. */
export async function onCoordinator<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const settings = { ...DEFAULTS, url, durability: 'full' as const, answerLimitMs: 0 };
  const connections = createConnections(settings, 1);
  try {
    return await connections.use(work);
  } finally {
    await connections.close();
  }
}

/** Returns the reads of a connection. */
export function readsOf(connection: Connection): Queryable {
  const rows = async (query: Sql) => (await connection.run(query)).rows;
  return { all: rows, get: async (query) => (await rows(query))[0] };
}
