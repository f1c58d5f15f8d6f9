import type { Tx } from '../../database/engine.js';
import type { JobHandler } from '../../services/jobs/handler.js';
import { rescheduleJob } from '../../stores/jobs.js';
import { findSharedFact, recordSharedFact, replaceSharedFact } from '../../stores/shared-facts.js';
import { fileBesideDatabase, MEDIA_FOLDER, type Backend } from '../backend.js';
import type { Config } from '../config.js';
import type { OperationsLog } from '../open-operations.js';
import { backUpInto } from './back-up-into.js';

/** The name of the job and of its unique key. */
const BACKUP = 'backup';

/** Attempts with growing pauses take about ten minutes; then the next backup is made at its time. */
const MAX_ATTEMPTS = 10;

/** A backup this much before its time counts as that of its time: the job may start late, and then in time again. */
const EARLY_SHARE = 0.1;

export interface ScheduleDeps extends Pick<Backend, 'engine' | 'clock' | 'queue' | 'key'> {
  readonly log: OperationsLog;
  readonly dataFolder?: string;
  readonly mediaFolder?: string;
}

/** Backups that the servers of a database make by themselves, each time one of them (docs/backups.md#schedule). */
export type ScheduledBackups = ReturnType<typeof createSchedule>;

/** Creates the schedule of a server; undefined if it has none. */
export function openScheduledBackups(config: Config, deps: ScheduleDeps): ScheduledBackups | undefined {
  const { backupEvery: everyMs, backupTo: folder } = config;
  return everyMs === undefined || folder === undefined
    ? undefined
    : createSchedule({ ...config, everyMs, folder }, deps);
}

interface Schedule extends Config {
  readonly everyMs: number;
  readonly folder: string;
}

function createSchedule(schedule: Schedule, deps: ScheduleDeps) {
  const { everyMs } = schedule;
  const { engine, clock, queue } = deps;
  const enqueue = (tx: Tx, runAtMs: number): Promise<boolean> =>
    queue.enqueue(tx, {
      kind: BACKUP,
      payload: {},
      uniqueKey: BACKUP,
      runAtMs,
      maxAttempts: MAX_ATTEMPTS,
    });
  return {
    handler: createHandler(schedule, deps, enqueue),
    /** Schedules the next backup, at another time than before if the interval has changed. */
    begin: (tx: Tx): Promise<void> => begin(tx, { everyMs, nowMs: clock(), enqueue }),
    /** Returns how long the next backup is overdue. */
    overdueMs: async (): Promise<number> => {
      const last = await findSharedFact(engine, 'last-backup');
      return last === undefined ? 0 : Math.max(0, clock() - Number(last) - everyMs);
    },
  };
}

type Enqueue = (tx: Tx, runAtMs: number) => Promise<boolean>;

async function begin(
  tx: Tx,
  {
    everyMs,
    nowMs,
    enqueue,
  }: { readonly everyMs: number; readonly nowMs: number; readonly enqueue: Enqueue },
): Promise<void> {
  // The first backup is due now.
  const last = Number(await recordSharedFact(tx, 'last-backup', String(nowMs - everyMs)));
  const dueMs = Math.max(nowMs, last + everyMs);
  if (!(await enqueue(tx, dueMs))) await rescheduleJob(tx, BACKUP, dueMs);
}

function createHandler(
  { everyMs, folder, keep, backupMedia, database, media, postgresPrograms }: Schedule,
  { engine, clock, key, log, dataFolder, mediaFolder }: ScheduleDeps,
  enqueue: Enqueue,
): JobHandler<object> {
  const usual = fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) ?? '';
  const source = {
    database,
    engine,
    clock,
    key,
    media,
    mediaFolder: mediaFolder ?? usual,
    programs: postgresPrograms,
  };
  return async (run) => {
    const nowMs = clock();
    const dueMs = Number((await findSharedFact(engine, 'last-backup')) ?? 0) + everyMs;
    const isDone = nowMs < dueMs - everyMs * EARLY_SHARE;
    // First, so that failures do not end the schedule.
    await engine.tx('schedule backup', (tx) => enqueue(tx, isDone ? dueMs : nowMs + everyMs));
    if (isDone) return;
    const startMs = performance.now();
    const made = await backUpInto(folder, source, {
      keep,
      withoutMedia: backupMedia === 'off',
      signal: run.signal,
    });
    await engine.tx('complete backup', async (tx) => {
      await replaceSharedFact(tx, 'last-backup', String(nowMs));
      await run.completeIn(tx);
    });
    const { path, manifest, deleted } = made;
    log.info?.(
      {
        path,
        databaseBytes: manifest.databaseBytes,
        mediaFiles: manifest.media?.files,
        missingMedia: manifest.media?.missing.length,
        deleted,
        ms: Math.round(performance.now() - startMs),
      },
      'a backup was made',
    );
  };
}
