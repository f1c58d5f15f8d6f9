import type { PostId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Selection } from '../query/selection.js';
import type { Queryable, Tx } from './queryable.js';

/**
 * What the full-text index keeps of a post; made in one place (services/search/document.ts), the same for every engine.
 *
 * Tokens and facets are of lower-case letters, digits and the signs `_ # * : %`, where "letter" is anything beyond ASCII.
 * Only facets, and tokens that are not of the text, hold a `:`, so that none can be taken for another.
 */
export interface SearchDocument {
  readonly id: PostId;
  /**
   * Runs of tokens in their order, each with at least one: of the text, of each address (`u:...`), of each place name
   * (`p:...`). Phrases match within one run, never from one into the next. Tokens may repeat. A blank parts the tokens,
   * RUN_GAP the runs: texts are all that most posts' runs are ever needed as.
   */
  readonly runs: string;
  /** What is asked for as a whole (`from:42`, `has:media`), each once, in no order; at least one. Parted by blanks. */
  readonly facets: string;
}

/** Its sign is no token, and queries cannot say it: no phrase reaches over it. */
export const RUN_GAP = ' : ';

/** The runs of a document, each as its tokens. */
export function runsOf({ runs }: SearchDocument): string[][] {
  return runs === '' ? [] : runs.split(RUN_GAP).map((run) => run.split(' '));
}

/** What a search expression is made of. */
export type SearchLeaf =
  /** One run holds these tokens side by side, at least one; the last may be the beginning of a longer token. */
  | { readonly kind: 'phrase'; readonly tokens: readonly string[]; readonly lastIsPrefix: boolean }
  /** The document has one of these facets: at least one is named, and thousands may be. */
  | { readonly kind: 'facets'; readonly anyOf: readonly string[] };

/** How deep selections that an index is asked for are nested at most; a leaf alone is 1. */
export const MAX_SELECTION_DEPTH = 20;

/** A whole boolean query as an index runs it: "not" is only ever "but not". */
export type SearchSelection = Selection<SearchLeaf>;

/** When posts were made: from `fromMs` on, or from the beginning, to below `beforeMs`. */
export interface TimeSpan {
  readonly fromMs?: number;
  readonly beforeMs: number;
}

/** The newest `limit` matches in a range of ids. */
export interface WantedMatches {
  readonly selection: SearchSelection;
  readonly range: KeyRange;
  readonly limit: number;
}

/**
 * The full-text index of an engine. Ids are its order, newest first is greatest first. All methods see what `db` sees:
 * what a transaction has put is found in it at once.
 */
export interface SearchIndex {
  /** Puts documents into the index in place of those with their ids; no id twice. */
  put(tx: Tx, documents: readonly SearchDocument[]): Promise<void>;
  /** Takes posts out of the index, those that are in it. */
  remove(tx: Tx, ids: readonly PostId[]): Promise<void>;
  /**
   * The newest `limit` matches in the range, newest first. The time is in proportion to the limit, however many match
   * and however far in the past the range is.
   */
  page(db: Queryable, selection: SearchSelection, range: KeyRange, limit: number): Promise<PostId[]>;
  /**
   * The same, of a moment at which the index knew every post that was made within the times; undefined when it has yet to
   * look at some (search-pending.ts).
   */
  completePage(db: Queryable, wanted: WantedMatches, within: TimeSpan): Promise<PostId[] | undefined>;
  /**
   * Does a little of the upkeep that keeps pages fast, milliseconds of it; for when there is nothing better to do. False
   * when none is left.
   */
  tidy(tx: Tx): Promise<boolean>;
  /** Forgets everything; for a rebuild from nothing. */
  clear(tx: Tx): Promise<void>;
}
