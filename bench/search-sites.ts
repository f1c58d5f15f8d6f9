import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tidyIndex } from '../src/services/search/index-posts.js';
import type { Engine } from '../src/database/engine.js';
import { openEngine } from '../src/database/open-engine.js';
import { asNumber, rawSql } from '../src/database/sql.js';
import { administer, createDatabase, databaseUrl, type PostgresServer } from '../test/support/postgres.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { fillSearchable } from './search-fill.js';
import { seedDatabase, startBenchServer } from './server.js';

/** A filled database, opened here and served by another process. */
export interface Site {
  readonly name: string;
  readonly posts: number;
  readonly engine: Engine;
  readonly server: ServerProcess;
}

/** The number of posts in the world with the user and credentials, besides those of search-posts.ts. */
const SEEDED = 10;

/** The location of the databases: a folder (SQLite) or a server. */
export interface Place {
  readonly folder: string;
  readonly postgres?: PostgresServer;
}

/** Creates and fills a site; prints the rate of indexing and the size of the index. */
export async function openSite(place: Place, posts: number): Promise<Site> {
  const name = place.postgres ? 'postgres' : 'sqlite';
  const folder = join(place.folder, `${name}-${posts}`);
  await mkdir(folder);
  const url = place.postgres ? await newDatabase(place.postgres) : `sqlite:${join(folder, 'pipit.db')}`;
  await seedDatabase(folder, SEEDED, url);
  const engine = await openEngine(url, { durability: 'relaxed' });
  const indexedMs = await fillSearchable(engine, posts);
  // As the server does when idle.
  while (await tidyIndex(engine));
  if (place.postgres) await administer(url, 'VACUUM ANALYZE');
  const bytes = await indexBytes(engine, name);
  console.log(
    `${name}, ${posts} posts: ${((1000 * posts) / indexedMs).toFixed(0)} indexed/s ` +
      `(target >= 20000), ${(bytes / posts).toFixed(0)} index bytes per post`,
  );
  return { name, posts, engine, server: await startBenchServer(url, [], folder) };
}

/** Creates a database on the server and returns its URL. */
export async function newDatabase(server: PostgresServer): Promise<string> {
  const admin = server.url('postgres');
  return databaseUrl(admin, await createDatabase(admin));
}

const INDEX_BYTES = {
  sqlite: `SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search~_posts~_%' ESCAPE '~' AND aggregate = 1`,
  postgres: `SELECT SUM(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits
    WHERE inhparent = CAST('search_posts' AS REGCLASS)`,
} as const;

/** Returns the size of the full-text index in bytes. */
export async function indexBytes(engine: Engine, name: keyof typeof INDEX_BYTES): Promise<number> {
  return asNumber((await engine.get(rawSql(INDEX_BYTES[name])))?.bytes);
}

export async function closeSite({ engine, server }: Site): Promise<void> {
  await server.end('SIGTERM');
  await engine.close();
}
