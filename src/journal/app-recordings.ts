import type { Clock } from '../core/clock.js';
import { conflict } from '../core/errors.js';
import type { NewEntry } from './entry.js';
import { Journal } from './journal.js';
import {
  MAX_PROCESSES,
  type RecordedApp,
  type RecordingNews,
  type RecordingPeers,
} from './recording-peers.js';
import { createCallRecorder, type CallRecorder } from './call-recorder.js';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.js';

/** How long an app is recorded (docs/inspector.md#apps). */
const RECORDING_MS = 3_600_000;

/** Bounds the memory of recordings. */
const MAX_RECORDINGS = 10;
const MAX_ENTRIES = 500;
const MAX_BYTES = 8 * 1024 ** 2;
const MAX_PLACED = 1_000;

/** The running recording of an app. */
export interface AppRecording {
  readonly journal: Journal;
  readonly endsAtMs: number;
}

interface Recording extends AppRecording {
  readonly app: RecordedApp;
}

/**
 * Records the requests of single apps for their owners, each for a limited time, in memory. Of several processes each
 * has the entries of all, which they tell each other.
 */
export class AppRecordings {
  readonly #recordings = new Map<string, Recording>();
  readonly #clock: Clock;
  readonly #peers: RecordingPeers | undefined;
  readonly #recorder: Recorder;
  readonly #callRecorder: CallRecorder;
  /** The ids of recent entries in the journals, by app. */
  readonly #placed = new Map<number, Map<string, number>>();
  #lastId = 0;

  constructor(deps: Omit<RecorderDeps, 'journal'>, peers?: RecordingPeers) {
    this.#clock = deps.clock;
    this.#peers = peers;
    const add = (entry: NewEntry): number => {
      this.#lastId += 1;
      this.#place(this.#lastId, entry);
      return this.#lastId;
    };
    const update = (id: number, entry: NewEntry): void => this.#place(id, entry);
    this.#recorder = createRecorder({ ...deps, journal: { add, update } });
    this.#callRecorder = createCallRecorder({ ...deps, journal: { add, update } });
    peers?.listen((news) => this.#hear(news));
    peers?.tell({ kind: 'joined' });
  }

  /**
   * Records an app from now on, or longer if it is recorded already. Throws `conflict` if too many apps are recorded.
   */
  start(app: RecordedApp): void {
    if (!this.of(app.id) && this.#running().length >= MAX_RECORDINGS) throw conflict(TOO_MANY);
    const started = { app, endsAtMs: this.#clock() + RECORDING_MS };
    this.#begin(started);
    this.#peers?.tell({ kind: 'started', ...started });
  }

  /** Ends the recording of an app and drops its entries. */
  stop(appId: string): void {
    this.#end(appId);
    this.#peers?.tell({ kind: 'stopped', appId });
  }

  /** Returns the running recording of an app. */
  of(appId: string): AppRecording | undefined {
    return this.#running().find(({ app }) => app.id === appId);
  }

  /** Follows a request if an app is recorded. Call it before anything reads the request. */
  readonly record: Recorder = (request, response) => {
    if (this.#recordings.size > 0 && this.#running().length > 0) this.#recorder(request, response);
  };

  /** Records a call of a tool if an app is recorded. */
  readonly recordCall: CallRecorder = (call) => {
    if (this.#recordings.size > 0 && this.#running().length > 0) this.#callRecorder(call);
  };

  #begin({ app, endsAtMs }: Omit<Recording, 'journal'>): void {
    const journal = this.of(app.id)?.journal ?? new Journal({ maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES });
    this.#recordings.set(app.id, { app, journal, endsAtMs });
  }

  #end(appId: string): void {
    this.#recordings.get(appId)?.journal.clear();
    this.#recordings.delete(appId);
  }

  #hear(news: RecordingNews): void {
    switch (news.kind) {
      case 'started':
        return this.#begin(news);
      case 'stopped':
        return this.#end(news.appId);
      case 'recorded':
        return this.#recordings.get(news.appId)?.journal.place(news.id, news.entry);
      case 'joined':
        for (const { app, endsAtMs } of this.#running())
          this.#peers?.tell({ kind: 'started', app, endsAtMs });
    }
  }

  /** Puts an entry into the journals of its apps. An explanation may name the app later than the entry. */
  #place(placing: number, entry: NewEntry): void {
    const ids = this.#placed.get(placing) ?? new Map<string, number>();
    for (const { app, journal } of this.#running()) {
      if (!ids.has(app.id) && !concerns(entry, app)) continue;
      const id = ids.get(app.id) ?? this.#nextId(journal);
      ids.set(app.id, id);
      journal.place(id, entry);
      this.#peers?.tell({ kind: 'recorded', appId: app.id, id, entry });
    }
    this.#placed.set(placing, ids);
    const [oldest] = this.#placed.keys();
    if (this.#placed.size > MAX_PLACED && oldest !== undefined) this.#placed.delete(oldest);
  }

  /** Returns an id above those of a journal that no other process gives. */
  #nextId({ lastId }: Journal): number {
    if (!this.#peers) return lastId + 1;
    return (Math.floor(lastId / MAX_PROCESSES) + 1) * MAX_PROCESSES + this.#peers.process;
  }

  #running(): Recording[] {
    for (const { app, endsAtMs } of this.#recordings.values())
      if (this.#clock() >= endsAtMs) this.#end(app.id);
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
  if (id !== undefined) return id === recorded.id;
  return namedKeys.includes(recorded.apiKey) || namedKeys.includes(recorded.clientId);
}
