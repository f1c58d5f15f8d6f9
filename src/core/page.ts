import { MAX_ID } from './ids.js';

/** `next` leads to older entries, `previous` to newer ones. */
type PageDirection = 'next' | 'previous';

/**
 * A position in a list that is read newest first: just below (`next`) or just above (`previous`) the entry with the
 * key `position`. Keys are unique and grow with time: an edge's snowflake, a post's id. The entry itself may have
 * been deleted.
 */
export interface Cursor {
  readonly direction: PageDirection;
  readonly position: bigint;
  /** More state of the list, such as the end fixed by its first page. */
  readonly extra: readonly bigint[];
}

/** A request for a page; without a cursor, for the first. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: Cursor;
}

/** Entries, newest first, and the cursors of the adjacent pages. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: Cursor;
  readonly previous?: Cursor;
}

/** The keys above `above`, up to and including `upTo`. */
export interface KeyRange {
  readonly above: bigint;
  readonly upTo: bigint;
}

/** All keys. */
export const EVERY_KEY: KeyRange = { above: -1n, upTo: MAX_ID };

/** Reports whether rows must be fetched oldest first, away from the cursor. */
export function isBackward({ cursor }: PageRequest): boolean {
  return cursor?.direction === 'previous';
}

/** Returns the key range of the page, within the whole list's `window`. */
export function keysOf({ cursor }: PageRequest, window: KeyRange = EVERY_KEY): KeyRange {
  if (!cursor) return window;
  const { position } = cursor;
  if (cursor.direction === 'previous') {
    return { above: position > window.above ? position : window.above, upTo: window.upTo };
  }
  return { above: window.above, upTo: position <= window.upTo ? position - 1n : window.upTo };
}

/**
 * Creates a page from the rows fetched for it: rows of `keysOf(request)` ordered by key, descending, or ascending if
 * `isBackward`; one more than `limit` if there are more, before filtering. The last page has no next cursor and the
 * first none to the previous (docs/api/requests.md#paging). Cursors carry `extra`, by default that of the request's
 * cursor.
 *
 * Cursors contain keys, so rows inserted or deleted between pages cause no duplicates or gaps.
 */
export function pageOf<T>(
  rows: readonly T[],
  request: PageRequest,
  keyOf: (row: T) => bigint,
  extra: readonly bigint[] = request.cursor?.extra ?? [],
): Page<T> {
  const { limit, cursor } = request;
  const hasMore = rows.length > limit;
  const kept = rows.slice(0, limit);
  const items = isBackward(request) ? kept.reverse() : kept;
  const [first, last] = [items[0], items.at(-1)];
  const next = (position: bigint): Cursor => ({ direction: 'next', position, extra });
  const previous = (position: bigint): Cursor => ({ direction: 'previous', position, extra });
  if (cursor?.direction === 'previous') {
    return {
      items,
      // The entry at the position was on the page that the request came from.
      next: next(last === undefined ? above(cursor.position) : keyOf(last)),
      previous: hasMore && first !== undefined ? previous(keyOf(first)) : undefined,
    };
  }
  return {
    items,
    next: hasMore && last !== undefined ? next(keyOf(last)) : undefined,
    previous: cursor && previous(first === undefined ? cursor.position - 1n : keyOf(first)),
  };
}

/** Returns the page with its items mapped. */
export function mapPage<T, U>(page: Page<T>, turn: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(turn) };
}

function above(position: bigint): bigint {
  return position < MAX_ID ? position + 1n : MAX_ID;
}
