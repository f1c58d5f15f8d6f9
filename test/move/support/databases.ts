import { join } from 'node:path';
import { namesBehind } from '../../../src/core/profile-picture.js';
import { copiedAmong } from '../../../src/database/copied-tables.js';
import { openStoredRows } from '../../../src/database/open-engine.js';
import { RowSum } from '../../../src/database/row-sums.js';
import { keyOfRow, type RowKey } from '../../../src/database/stored-rows.js';
import { sql } from '../../../src/database/sql.js';
import { createWriter, openBackend, worldDeps } from '../../../src/server/backend.js';
import { readConfig } from '../../../src/server/config.js';
import { buildPipit, type Pipit } from '../../../src/server/start.js';
import { createDiskBlobs } from '../../../src/stores/blobs/disk-blobs.js';
import { writeBlob } from '../../../src/stores/blobs/whole-blobs.js';
import { loadWorldFile } from '../../../src/world/world-file.js';
import { inject } from 'vitest';
import { TEST_URL } from '../../support/app.js';
import { createDatabase, databaseUrl, dropDatabase } from '../../support/postgres.js';
import { createPostgresDatabase } from '../../support/test-database.js';

/** Where tests move databases of SQLite. */
export type Other = 'postgres' | 'citus' | 'another file';

const ON_SERVERS = (['postgres', 'citus'] as const).filter((engine) => inject(engine));

/** The servers of the run; another file where there is none. */
export const OTHERS: readonly Other[] = ON_SERVERS.length > 0 ? ON_SERVERS : ['another file'];

/** Creates a database without rows, in the folder if it is a file. One on Citus is distributed. */
export async function createOther(
  engine: Other,
  folder: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  if (engine === 'another file')
    return { url: `sqlite:${join(folder, 'pipit.db')}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (engine === 'citus') return createDistributed();
  const { url, remove } = await createPostgresDatabase('nothing', engine);
  return { url, [Symbol.asyncDispose]: remove };
}

async function createDistributed(): Promise<AsyncDisposable & { readonly url: string }> {
  const { server = '', template, others } = inject('citus') ?? {};
  const name = await createDatabase(server, template, others);
  return {
    url: databaseUrl(server, name),
    [Symbol.asyncDispose]: () => dropDatabase(server, name, others),
  };
}

/** A server in this process. */
export interface Served {
  readonly pipit: Pipit;
  readonly url: string;
}

/** Serves a database, with the key and media of one on a server in `dataFolder`, until its `pipit` closes. */
export async function serve(database: string, dataFolder: string): Promise<Served> {
  const config = readConfig({ database, baseUrl: TEST_URL, rateLimits: 'off', durability: 'relaxed' }, {});
  const log = { error: console.error, warn: () => undefined };
  const pipit = await buildPipit(config, { log, dataFolder });
  return { pipit, url: `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}` };
}

/** Creates a database with the demo world and its media in a folder. */
export async function createDemo(folder: string): Promise<string> {
  const database = `sqlite:${join(folder, 'pipit.db')}`;
  const backend = await openBackend(database, { durability: 'relaxed' });
  const writer = await createWriter(backend, TEST_URL);
  const blobs = createDiskBlobs(join(folder, 'media'));
  await loadWorldFile(worldDeps(backend, writer, blobs), 'demo');
  for (const name of namesBehind(PICTURE_KEY, PICTURE_FILE)) await writeBlob(blobs, name, Buffer.from(name));
  await backend.engine.tx('add picture', async (tx) => {
    await tx.run(sql`INSERT INTO media (id, media_key, type, url, created_at)
      VALUES (77, ${PICTURE_KEY}, 'photo', ${`${TEST_URL}/media/${PICTURE_FILE}`}, 0)`);
  });
  await backend.close();
  return database;
}

/** The picture of a profile, which has files that no row names. */
const PICTURE_KEY = '19_77';
const PICTURE_FILE = `77/${'p'.repeat(32)}.png`;

/** Returns the number of rows of each table with rows and their checksum, as moves print them. */
export async function sumsOf(url: string): Promise<Record<string, { rows: number; checksum: string }>> {
  const rows = await openStoredRows(url);
  const sums: Record<string, { rows: number; checksum: string }> = {};
  try {
    for (const table of await rows.describe(copiedAmong(await rows.tableNames()))) {
      const shared = table.columns.filter(({ name }) => table.name !== 'change_feed' || name !== 'source');
      const [common, sum] = [{ ...table, columns: shared }, new RowSum()];
      for (let after: RowKey | undefined; ;) {
        const page = await rows.pageOf(common, after, 1_000);
        const last = page.at(-1);
        if (last === undefined) break;
        for (const row of page) sum.add(row);
        after = keyOfRow(common, last);
      }
      if (sum.rows > 0) sums[table.name] = { rows: sum.rows, checksum: sum.hex };
    }
    return sums;
  } finally {
    await rows.close();
  }
}
