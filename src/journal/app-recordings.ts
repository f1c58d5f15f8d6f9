import type { Clock } from '../core/clock.js';
import { conflict } from '../core/errors.js';
import type { NewEntry } from './entry.js';
import { Journal } from './journal.js';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.js';

/** How long an app is recorded (docs/inspector.md#apps). */
const RECORDING_MS = 3_600_000;

/** Bounds the memory of recordings. */
const MAX_RECORDINGS = 10;
const MAX_ENTRIES = 500;
const MAX_BYTES = 8 * 1024 ** 2;
const MAX_PLACED = 1_000;

/** The names by which requests refer to an app. */
export interface RecordedApp {
  readonly id: bigint;
  readonly apiKey: string;
  readonly clientId: string;
}

/** The running recording of an app. */
export interface AppRecording {
  readonly journal: Journal;
  readonly endsAtMs: number;
}

interface Recording extends AppRecording {
  readonly app: RecordedApp;
}

/** Records the requests of single apps for their owners, each for a limited time, in memory. */
export class AppRecordings {
  readonly #recordings = new Map<string, Recording>();
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  /** The ids of recent entries in the journals. */
  readonly #placed = new Map<number, Map<Journal, number>>();
  #lastId = 0;

  constructor(deps: Omit<RecorderDeps, 'journal'>) {
    this.#clock = deps.clock;
    const add = (entry: NewEntry): number => {
      this.#lastId += 1;
      this.#place(this.#lastId, entry);
      return this.#lastId;
    };
    const update = (id: number, entry: NewEntry): void => this.#place(id, entry);
    this.#recorder = createRecorder({ ...deps, journal: { add, update } });
  }

  /**
   * Records an app from now on, or longer if it is recorded already. Throws `conflict` if too many apps are recorded.
   */
  start(app: RecordedApp): void {
    const key = String(app.id);
    const before = this.of(app.id);
    if (!before && this.#running().length >= MAX_RECORDINGS) throw conflict(TOO_MANY);
    const journal = before?.journal ?? new Journal({ maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES });
    this.#recordings.set(key, { app, journal, endsAtMs: this.#clock() + RECORDING_MS });
  }

  /** Ends the recording of an app and drops its entries. */
  stop(appId: bigint): void {
    this.#recordings.get(String(appId))?.journal.clear();
    this.#recordings.delete(String(appId));
  }

  /** Returns the running recording of an app. */
  of(appId: bigint): AppRecording | undefined {
    return this.#running().find(({ app }) => app.id === appId);
  }

  /** Follows a request if an app is recorded. Call it before anything reads the request. */
  readonly record: Recorder = (request, response) => {
    if (this.#recordings.size > 0 && this.#running().length > 0) this.#recorder(request, response);
  };

  /** Puts an entry into the journals of its apps. An explanation may name the app later than the entry. */
  #place(id: number, entry: NewEntry): void {
    const ids = this.#placed.get(id) ?? new Map<Journal, number>();
    for (const { app, journal } of this.#running()) {
      const before = ids.get(journal);
      if (before !== undefined) journal.update(before, entry);
      else if (concerns(entry, app)) ids.set(journal, journal.add(entry));
    }
    this.#placed.set(id, ids);
    const [oldest] = this.#placed.keys();
    if (this.#placed.size > MAX_PLACED && oldest !== undefined) this.#placed.delete(oldest);
  }

  #running(): Recording[] {
    for (const { app, endsAtMs } of this.#recordings.values())
      if (this.#clock() >= endsAtMs) this.stop(app.id);
    return [...this.#recordings.values()];
  }
}

const TOO_MANY = 'This server already records as many apps as it can. Try again later.';

/**
 * The paths at which a request belongs to the app that it names. The forms of people who consent to an app do not: they
 * prove that the person sends them.
 */
const PATHS_OF_APPS = /^\/(?:2|1\.1|oauth2)\/|^\/oauth\/(?:request|access)_token$/;
const AUTHORIZE_PATH = '/i/oauth2/authorize';

function isOfApps({ method, path }: NewEntry['request']): boolean {
  return PATHS_OF_APPS.test(path) || (method === 'GET' && path === AUTHORIZE_PATH);
}

/** Reports whether an entry is of an app: authenticated as it, or naming it where apps send requests. */
function concerns({ app, namedAppId, namedKeys = [], request }: NewEntry, recorded: RecordedApp): boolean {
  const id = app?.id ?? namedAppId;
  if (app === undefined && !isOfApps(request)) return false;
  if (id !== undefined) return id === String(recorded.id);
  return namedKeys.includes(recorded.apiKey) || namedKeys.includes(recorded.clientId);
}
