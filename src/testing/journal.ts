import type { Connection } from './connection.js';
import type { RequestPattern } from './faults.js';

/** Selects entries of the journal; absent members match everything. */
export interface JournalFilter extends RequestPattern {
  /** A status such as 429, or a class such as `4xx`. */
  readonly status?: number | string;
  /** True selects requests that were refused, false the others. */
  readonly refused?: boolean;
  /** Selects entries with greater ids. */
  readonly since?: number;
}

/** A recorded body. Secrets are hidden. */
export interface RecordedBody {
  readonly bytes: number;
  readonly text?: string;
  readonly base64?: string;
}

/** A request and its answer. */
export interface JournalEntry {
  readonly id: number;
  readonly operation: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly body: RecordedBody;
  };
  readonly answer: { readonly status: number; readonly body: RecordedBody };
  readonly app?: { readonly id: string; readonly name: string };
  readonly user_id?: string;
  /** `POST /mcp` for the call of a tool. */
  readonly via?: string;
  /** Why the request was refused; absent for others. */
  readonly refusal?: { readonly reason: string; readonly detail?: string };
}

/** An HTTP Archive 1.2. */
export interface HttpArchive {
  readonly log: { readonly version: string; readonly entries: readonly unknown[] };
}

/** Thrown when the awaited requests have not arrived. */
export class PipitWaitTimeout extends Error {
  override readonly name = 'PipitWaitTimeout';
}

export interface WaitOptions {
  /** The number of matching entries to wait for; 1 by default. */
  readonly count?: number;
  /** 5,000 by default. */
  readonly timeoutMs?: number;
}

const WAIT_MS = 5_000;
const MAX_FOUND = 10_000;

export type Journal = ReturnType<typeof createJournal>;

/** Creates the view of the requests that the server has received, and of its answers. */
export function createJournal({ ask, control }: Connection) {
  const find = async (filter: JournalFilter = {}): Promise<readonly JournalEntry[]> => {
    const query = { ...filter, limit: MAX_FOUND };
    return (await control<readonly JournalEntry[]>('GET', '/journal', { query })).toReversed();
  };
  return {
    /** Returns the matching entries, oldest first; at most the newest 10,000. */
    find,
    /** Returns the number of matching entries. */
    count: async (filter: JournalFilter = {}) =>
      (await control<{ readonly count: number }>('GET', '/journal/count', { query: { ...filter } })).count,
    /** Waits until entries match, and returns them, oldest first. Throws PipitWaitTimeout. */
    waitFor: async (filter: JournalFilter, { count = 1, timeoutMs = WAIT_MS }: WaitOptions = {}) => {
      const query = { ...filter, n: count, timeout: timeoutMs };
      const { data, meta } = await ask<Awaited>('GET', '/journal/wait', { query });
      if (meta.complete) return data;
      const wanted = `${count} requests like ${JSON.stringify(filter)}`;
      throw new PipitWaitTimeout(
        `waited ${timeoutMs} ms for ${wanted}; there were ${data.length}. ${describeEntries(await find())}`,
      );
    },
    /** Returns one entry, by its id. */
    get: (id: number) => control<JournalEntry>('GET', `/journal/${id}`),
    /** Returns all entries as an HTTP Archive 1.2, oldest first. */
    har: () => ask<HttpArchive>('GET', '/journal.har'),
    /** Forgets all entries. */
    clear: async () => void (await control('DELETE', '/journal')),
  };
}

/** The answer to a wait. */
interface Awaited {
  readonly data: readonly JournalEntry[];
  readonly meta: { readonly complete: boolean };
}

const MAX_LISTED = 20;

/** Returns the newest entries as lines: operation, method, path, status and the reason of a refusal. */
export function describeEntries(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return 'The server has received no request.';
  const lines = entries.slice(-MAX_LISTED).map(({ operation, request, answer, refusal }) => {
    const why = refusal ? ` (${refusal.reason}${refusal.detail ? `: ${refusal.detail}` : ''})` : '';
    return `  ${operation}: ${request.method} ${request.path} ${answer.status}${why}`;
  });
  return ['The server has received:', ...lines].join('\n');
}
