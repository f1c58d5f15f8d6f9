import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openEngine } from '../src/database/open-engine.js';
import { asNumber, rawSql } from '../src/database/sql.js';
import {
  administer,
  createDatabase,
  databaseUrl,
  dropDatabase,
  type PostgresServer,
} from '../test/support/postgres.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { parentOf } from './cpu.js';
import { fillMixWorld, type MixWorld } from './mix-world.js';
import { startBenchServer } from './server.js';

/** A filled database that is copied for each series, so that all start alike. */
export interface Template {
  readonly world: MixWorld;
  readonly fillSeconds: number;
  /** The process of the PostgreSQL server. */
  readonly databasePid?: number;
  copy(): Promise<Site>;
  drop(site: Site): Promise<void>;
}

/** A database and the folder in which its server runs. */
export interface Site {
  readonly url: string;
  readonly folder: string;
  /** The name of a database on a server. */
  readonly database: string;
}

/** Fills a template in a folder, or on a server. */
export async function createTemplate(
  folder: string,
  posts: number,
  postgres?: PostgresServer,
): Promise<Template> {
  const filled = join(folder, 'template');
  await mkdir(filled);
  const admin = postgres?.url('postgres');
  const database = admin === undefined ? '' : await createDatabase(admin);
  const urlIn = (place: string, name: string): string =>
    admin === undefined ? `sqlite:${join(place, 'pipit.db')}` : databaseUrl(admin, name);
  const url = urlIn(filled, database);
  const startMs = performance.now();
  const world = await fillMixWorld(filled, url, posts);
  if (admin !== undefined) await administer(url, 'VACUUM ANALYZE');
  let copies = 0;
  return {
    world,
    fillSeconds: (performance.now() - startMs) / 1000,
    databasePid: admin === undefined ? undefined : await serverPid(url),
    copy: async () => {
      copies += 1;
      const place = join(folder, `copy-${copies}`);
      await cp(filled, place, { recursive: true });
      const name = admin === undefined ? '' : await createDatabase(admin, database);
      return { url: urlIn(place, name), folder: place, database: name };
    },
    drop: async (site) => {
      if (admin !== undefined) await dropDatabase(admin, site.database);
      await rm(site.folder, { recursive: true });
    },
  };
}

/** Starts a built server on a site, by default that of this folder. */
export function startSite(
  { url, folder }: Site,
  { workers, profiles, hasMetrics, program }: SiteOptions,
): Promise<ServerProcess> {
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profiles)}`];
  const metrics = hasMetrics ? ['--metrics', 'public'] : [];
  return startBenchServer(url, profiling, folder, ['--workers', String(workers), ...metrics], program);
}

interface SiteOptions {
  readonly workers: number;
  /** The folder for CPU profiles. */
  readonly profiles: string | undefined;
  readonly hasMetrics: boolean;
  readonly program?: string;
}

/** Returns the process of a PostgreSQL server, the parent of the one that serves a connection. */
async function serverPid(url: string): Promise<number> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    const row = await engine.get(rawSql('SELECT pg_backend_pid() AS pid'));
    return await parentOf(asNumber(row?.pid));
  } finally {
    await engine.close();
  }
}
