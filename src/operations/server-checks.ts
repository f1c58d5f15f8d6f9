import { statfs } from 'node:fs/promises';
import type { Clock } from '../core/clock.js';
import { findOldestDueMs, readSchemaVersion } from '../stores/backlog.js';
import { checkDiskSpace } from '../database/disk-space.js';
import type { Engine } from '../database/engine.js';
import { orMissing } from '../database/private-file.js';
import { findOldestBuild } from '../database/migrate.js';
import { migrations } from '../database/migrations/all.js';
import { sql } from '../database/sql.js';
import type { Check } from './readiness.js';

export interface ServerCheckDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The folders of the server's files. Those that do not exist yet are not checked. */
  readonly folders: readonly string[];
  /** The kinds of jobs that this server runs. */
  readonly jobKinds: readonly string[];
}

/** If jobs are overdue for this long, no process runs them. */
const LATE_JOB_MS = 15 * 60_000;

/** Returns the checks of a server: its database, disk space, the schema of this build, and running jobs. */
export function serverChecks({
  engine,
  clock,
  folders,
  jobKinds,
}: ServerCheckDeps): Readonly<Record<string, Check>> {
  return {
    database: async () => {
      await engine.get(sql`SELECT 1 AS one`);
      return { ok: true };
    },
    disk: async () => {
      const found = await Promise.all(folders.map((folder) => orMissing(statfs(folder))));
      const disks = found.filter((disk) => disk !== undefined).map((disk) => checkDiskSpace(disk));
      const worst = disks.find(({ level }) => level === 'problem') ?? disks[0];
      if (worst === undefined) return { ok: true, detail: 'no data on disk' };
      return { ok: worst.level !== 'problem', detail: worst.message };
    },
    migrations: async () => {
      const version = (await readSchemaVersion(engine)) ?? 0;
      if (version === migrations.length) return { ok: true };
      const mayServe = version > migrations.length && (await findOldestBuild(engine)) <= migrations.length;
      if (mayServe) return { ok: true, detail: `schema version ${version} of a newer build` };
      return { ok: false, detail: `schema version ${version}; this server needs ${migrations.length}` };
    },
    jobs: async () => {
      const dueMs = await findOldestDueMs(engine, jobKinds, clock());
      const lateMs = clock() - (dueMs ?? clock());
      if (lateMs < LATE_JOB_MS) return { ok: true };
      return { ok: false, detail: `a job has been due for ${Math.round(lateMs / 60_000)} minutes` };
    },
  };
}
