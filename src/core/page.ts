import { MAX_ID } from './ids.js';

/** `next` leads to older entries, `previous` back to newer ones. */
type PageDirection = 'next' | 'previous';

/**
 * A place in a list that is read newest first: just below (`next`) or just above (`previous`) the entry whose key is
 * `position`. Keys grow with time and are nobody else's: an edge's snowflake, a post's id. The entry itself need not be
 * there any more.
 */
export interface Cursor {
  readonly direction: PageDirection;
  readonly position: bigint;
  /** Whatever else the list needs to go on, such as the end that its first page settled. */
  readonly extra: readonly bigint[];
}

/** Which page is wanted: the first one without a cursor. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: Cursor;
}

/** Entries newest first, and where the neighbouring pages are. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: Cursor;
  readonly previous?: Cursor;
}

/** The keys that lie above `above` and at or below `upTo`. */
export interface KeyRange {
  readonly above: bigint;
  readonly upTo: bigint;
}

/** All keys there are. */
export const EVERY_KEY: KeyRange = { above: -1n, upTo: MAX_ID };

/** True when rows are to be fetched oldest first, away from the cursor. */
export function isBackward({ cursor }: PageRequest): boolean {
  return cursor?.direction === 'previous';
}

/** The keys among which the page's rows are, within the whole list's `window`. */
export function keysOf({ cursor }: PageRequest, window: KeyRange = EVERY_KEY): KeyRange {
  if (!cursor) return window;
  const { position } = cursor;
  if (cursor.direction === 'previous') {
    return { above: position > window.above ? position : window.above, upTo: window.upTo };
  }
  return { above: window.above, upTo: position <= window.upTo ? position - 1n : window.upTo };
}

/**
 * Makes a page of the rows that were fetched for it: those of `keysOf(request)` in order of their keys, descending, or
 * ascending for a page that `isBackward`, and one more than `limit` where there is one more, before any is filtered out.
 * There is a next cursor unless this is the last page, and a previous one from the second page on
 * (docs/api/requests.md#paging). Both carry `extra`; that of the request's cursor unless said otherwise.
 *
 * Cursors hold keys, so that rows which come or go between pages make others neither appear twice nor be left out.
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
      // The entry at the position was on the page that one came from.
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

/** The same page with its items turned into others. */
export function mapPage<T, U>(page: Page<T>, turn: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(turn) };
}

function above(position: bigint): bigint {
  return position < MAX_ID ? position + 1n : MAX_ID;
}
