import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { NamedError } from '../core/named-error.js';
import { lockFile, type FileLock } from '../database/file-lock.js';
import { createPrivateFolder, fileExists, replacePrivateFile } from '../database/private-file.js';
import { toHar } from '../journal/har.js';
import { createRecorder } from '../journal/recorder.js';
import { openRecordProxy } from './record-proxy.js';
import { Recorded } from './recorded.js';
import { RecordingLog } from './recording-log.js';
import { settleWorld } from './settle-world.js';
import { worldOf, type Completion } from './world-of.js';

const WORLD_FILE = 'world.json';
const JOURNAL_FILE = 'journal.har';
const LOG_FILE = 'recording.jsonl';
const LOCK_FILE = 'recording.lock';

/** A folder cannot take the recording; the message is for the operator. */
class RecordingRefused extends NamedError {}

export interface RecordingOptions {
  /** The folder for the files. A recording in it that did not end goes on. */
  readonly folder: string;
  readonly target: URL;
  readonly port: number;
  readonly version: string;
  readonly clock: Clock;
  /** Receives the error that ends the log on disk; the recording goes on in memory. */
  readonly onLogFailure?: (error: Error) => void;
}

/** What a recording wrote. */
export interface RecordingReport extends Completion {
  readonly requests: number;
  /** Entries of the world by section. */
  readonly world: Readonly<Record<string, number>>;
  /** Entries that break a rule of world files. */
  readonly leftOutEntries: number;
  /** Objects beyond the bound of a recording. */
  readonly beyondBound: number;
}

/**
 * Starts to record (docs/recording.md). Rejects if the proxy cannot listen, and with RecordingRefused if another
 * recording uses the folder, or one of another target has not ended.
 */
export async function startRecording(options: RecordingOptions) {
  const { folder, version } = options;
  const lock = await lockFolder(folder);
  try {
    const recorded = await openRecorded(options);
    const continued = recorded.journal.count();
    const { proxy, log } = await openProxy(recorded, options);
    return {
      url: proxy.url,
      /** The number of requests of an earlier recording that did not end. */
      continued,
      /** Ends the proxy and writes both files, with access for their owner only. */
      finish: async (): Promise<RecordingReport> => {
        try {
          await proxy.close();
          await log.close();
          return await writeFiles(recorded, { folder, version });
        } finally {
          await unlockFolder(folder, lock);
        }
      },
    };
  } catch (error) {
    await unlockFolder(folder, lock);
    throw error;
  }
}

/** Writes the files of a recording that did not end. Throws RecordingRefused if there is none, or if it still runs. */
export async function finishRecording(
  options: Pick<RecordingOptions, 'folder' | 'version'>,
): Promise<RecordingReport> {
  const { folder } = options;
  const none = new RecordingRefused(`${folder} has no recording that did not end`);
  if (!(await fileExists(join(folder, LOG_FILE)))) throw none;
  const lock = await lockFolder(folder);
  try {
    const recorded = await Recorded.read(join(folder, LOG_FILE));
    if (!recorded) throw none;
    return await writeFiles(recorded, options);
  } finally {
    await unlockFolder(folder, lock);
  }
}

/** Returns what an earlier recording in the folder has, or an empty recording. */
async function openRecorded({ folder, target }: RecordingOptions): Promise<Recorded> {
  const recorded = (await Recorded.read(join(folder, LOG_FILE))) ?? new Recorded(target.origin);
  if (recorded.target === target.origin) return recorded;
  throw new RecordingRefused(
    `${folder} has a recording of ${recorded.target} that did not end: pipit record --finish writes its files`,
  );
}

/** Opens the log first, so that nothing passes that is not in it. */
async function openProxy(recorded: Recorded, options: RecordingOptions) {
  const { folder, target, port, clock, onLogFailure = () => undefined } = options;
  const file = join(folder, LOG_FILE);
  const { journal, seen } = recorded;
  const log = await RecordingLog.begin({ file, summary: () => recorded.lines(), onFailure: onLogFailure });
  recorded.follow((line) => log.append(line));
  try {
    const proxy = await openRecordProxy({
      target,
      port,
      record: createRecorder({ journal, clock, endpoints: [], maxExplanationsPerSecond: 0 }),
      onAnswer: (answer) => seen.read(answer),
    });
    return { proxy, log };
  } catch (error) {
    await log.close();
    if (journal.count() === 0) await rm(file, { force: true });
    throw error;
  }
}

async function lockFolder(folder: string): Promise<FileLock> {
  await createPrivateFolder(folder);
  const lock = lockFile(join(folder, LOCK_FILE), 'exclusive');
  if (!lock) throw new RecordingRefused(`another recording writes into ${folder}`);
  return lock;
}

async function unlockFolder(folder: string, lock: FileLock): Promise<void> {
  await rm(join(folder, LOCK_FILE), { force: true });
  lock.release();
}

async function writeFiles(
  { journal, seen, target }: Recorded,
  { folder, version }: Pick<RecordingOptions, 'folder' | 'version'>,
): Promise<RecordingReport> {
  const entries = journal.find().reverse();
  await replacePrivateFile(join(folder, JOURNAL_FILE), asFile(toHar(entries, { baseUrl: target, version })));
  const { world, completion } = worldOf(seen);
  const settled = await settleWorld(world, target);
  await replacePrivateFile(join(folder, WORLD_FILE), asFile(filled(settled.world)));
  await rm(join(folder, LOG_FILE), { force: true });
  return {
    ...completion,
    requests: entries.length,
    world: Object.fromEntries(
      Object.entries(filled(settled.world)).map(([name, each]) => [name, each.length]),
    ),
    leftOutEntries: settled.leftOut,
    beyondBound: seen.budget.refused,
  };
}

const asFile = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Returns the sections that have entries. */
function filled<T>(world: Readonly<Record<string, readonly T[]>>): Record<string, readonly T[]> {
  return Object.fromEntries(Object.entries(world).filter(([, entries]) => entries.length > 0));
}
