import type { PostId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Selection } from '../query/selection.js';
import type { Queryable, Tx } from './queryable.js';

/**
 * The full-text index entry of a post; built in one place (services/search/document.ts) for every engine.
 *
 * Tokens and facets consist of lower-case letters, digits and `_ # * : %`, where every character beyond ASCII counts
 * as a letter. Only facets, and tokens that are not from the text, contain a `:`, so that they cannot collide.
 */
export interface SearchDocument {
  readonly id: PostId;
  /**
   * Non-empty runs of tokens in order: of the text, of each URL (`u:...`), of each place name (`p:...`). Phrases
   * match within one run only. Tokens may repeat. A blank separates tokens and RUN_GAP separates runs; most uses need
   * only the string.
   */
  readonly runs: string;
  /** Distinct exact-match terms (`from:42`, `has:media`) in no order, at least one, separated by blanks. */
  readonly facets: string;
}

/** Not a token, and queries cannot contain it: no phrase spans it. */
export const RUN_GAP = ' : ';

/** Returns the runs of a document as lists of tokens. */
export function runsOf({ runs }: SearchDocument): string[][] {
  return runs === '' ? [] : runs.split(RUN_GAP).map((run) => run.split(' '));
}

/** Returns the ids of documents that `same` lacks, and those of `indexed` that are of no document. */
export function differingIds(
  documents: readonly SearchDocument[],
  indexed: Iterable<PostId>,
  same: ReadonlySet<PostId>,
): PostId[] {
  const wanted = new Set(documents.map(({ id }) => id));
  return [...[...wanted].filter((id) => !same.has(id)), ...[...indexed].filter((id) => !wanted.has(id))];
}

/** The leaves of a search expression. */
export type SearchLeaf =
  /** A run contains these tokens, one or more, next to each other; the last may be a prefix. */
  | { readonly kind: 'phrase'; readonly tokens: readonly string[]; readonly lastIsPrefix: boolean }
  /** The document has one of these facets, of which there may be thousands. */
  | { readonly kind: 'facets'; readonly anyOf: readonly string[] };

/** The maximum nesting depth of selections for an index; a leaf alone is 1. */
export const MAX_SELECTION_DEPTH = 20;

/** A boolean query in the form that an index executes: negation occurs only as "but not". */
export type SearchSelection = Selection<SearchLeaf>;

/** A range of creation times: from `fromMs`, or the beginning, to below `beforeMs`. */
export interface TimeSpan {
  readonly fromMs?: number;
  readonly beforeMs: number;
}

/** A request for the newest `limit` matches in a range of ids. */
export interface WantedMatches {
  readonly selection: SearchSelection;
  readonly range: KeyRange;
  readonly limit: number;
}

/**
 * The full-text index of an engine, ordered by id: newest first is highest first. All methods see what `db` sees,
 * including uncommitted writes of the same transaction.
 */
export interface SearchIndex {
  /** Adds or replaces documents with distinct ids. */
  put(tx: Tx, documents: readonly SearchDocument[]): Promise<void>;
  /** Removes posts from the index. Missing ones are ignored. */
  remove(tx: Tx, ids: readonly PostId[]): Promise<void>;
  /**
   * Returns the newest `limit` matches in the range, newest first. The time depends on the limit, not on the number
   * of matches or the age of the range.
   */
  page(db: Queryable, selection: SearchSelection, range: KeyRange, limit: number): Promise<PostId[]>;
  /**
   * Returns a page that includes every post created within the times, or undefined if some are not indexed yet
   * (search-pending.ts).
   */
  completePage(db: Queryable, wanted: WantedMatches, within: TimeSpan): Promise<PostId[] | undefined>;
  /**
   * Compares the index with the documents that it should have for a range of ids, all of them. Returns the ids whose
   * documents are missing, others, or too many.
   */
  compare(db: Queryable, documents: readonly SearchDocument[], range: KeyRange): Promise<PostId[]>;
  /** Does a few milliseconds of maintenance that keeps pages fast, for idle times. Returns false if none is left. */
  tidy(tx: Tx): Promise<boolean>;
  /** Empties the index for a rebuild. */
  clear(tx: Tx): Promise<void>;
}
