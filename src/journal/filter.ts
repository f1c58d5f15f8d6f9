import type { JournalEntry } from './entry.js';
import { patternMatcher, type RequestPattern } from './request-pattern.js';

/** Selects entries; absent members match everything. */
export interface JournalFilter extends RequestPattern {
  /** A status such as `429`, or a class such as `4xx`. */
  readonly status?: string;
  /** True selects entries with a refusal, false those without. */
  readonly refused?: boolean;
  /** Selects entries with greater ids. */
  readonly since?: number;
}

/** Returns a function that reports whether an entry matches. */
export function entryMatcher(filter: JournalFilter): (entry: JournalEntry) => boolean {
  const { status, refused, since = 0 } = filter;
  const matches = patternMatcher(filter);
  return (entry) =>
    entry.id > since &&
    (refused === undefined || refused === (entry.refusal !== undefined)) &&
    (status === undefined || isStatus(status, entry.answer.status)) &&
    matches({ ...entry.request, operation: entry.operation, app: entry.app, userId: entry.userId });
}

function isStatus(wanted: string, status: number): boolean {
  const sent = String(status);
  return wanted.endsWith('xx') ? sent.startsWith(wanted.slice(0, 1)) : sent === wanted;
}
