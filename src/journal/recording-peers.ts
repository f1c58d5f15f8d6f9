import type { NewEntry } from './entry.js';

/** The names by which requests refer to an app. */
export interface RecordedApp {
  readonly id: string;
  readonly apiKey: string;
  readonly clientId: string;
}

/** What the processes of a server tell each other of recordings. Consists of JSON values. */
export type RecordingNews =
  | { readonly kind: 'started'; readonly app: RecordedApp; readonly endsAtMs: number }
  | { readonly kind: 'stopped'; readonly appId: string }
  | { readonly kind: 'recorded'; readonly appId: string; readonly id: number; readonly entry: NewEntry }
  /** A process has begun to serve and asks which recordings run. */
  | { readonly kind: 'joined' };

/** The other processes of a server. */
export interface RecordingPeers {
  /** The number of this process, from 0, unique among those that serve. */
  readonly process: number;
  tell(news: RecordingNews): void;
  /** Calls `hear` with what the others tell, from now on. */
  listen(hear: (news: RecordingNews) => void): void;
}

/** More than the processes of a server: ids of entries are their number beyond a multiple of this. */
export const MAX_PROCESSES = 1_024;
