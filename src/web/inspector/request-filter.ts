import type { JournalFilter } from '../../journal/filter.js';

/** The values of the filter form, as typed. */
export interface FilterValues {
  readonly operation: string;
  readonly status: string;
  readonly user: string;
  readonly path: string;
  readonly refused: boolean;
}

const MAX_LENGTH = 200;

/** Reads the filter of a page's query. Values that select nothing are kept: they are shown in the form. */
export function readFilter(query: URLSearchParams): FilterValues {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_LENGTH);
  return {
    operation: text('operation'),
    status: text('status').toLowerCase(),
    user: text('user'),
    path: text('path'),
    refused: query.get('refused') === 'yes',
  };
}

/** Returns what the journal selects by; empty values match everything. */
export function journalFilter({ operation, status, user, path, refused }: FilterValues): JournalFilter {
  return {
    ...(operation !== '' && { operation }),
    ...(status !== '' && { status }),
    ...(user !== '' && { userId: user }),
    ...(path !== '' && { path: `*${path}*` }),
    ...(refused && { refused }),
  };
}

/** Returns the query of a page with this filter, with its question mark; empty without one. */
export function filterQuery({ operation, status, user, path, refused }: FilterValues): string {
  const texts = Object.entries({ operation, status, user, path, refused: refused ? 'yes' : '' });
  const query = new URLSearchParams(texts.filter(([, value]) => value !== '')).toString();
  return query === '' ? '' : `?${query}`;
}
