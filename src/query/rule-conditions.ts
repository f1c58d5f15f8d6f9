import type { TokenPhrase } from '../core/search-text/tokenize.js';
import type { CommonPredicate, UserRef } from './conditions.js';

/** The counts of an author that rules compare. */
export type AuthorCount = 'followers' | 'following' | 'posts' | 'listed';

/** A condition of stream rules that search lacks (docs/api/streams.md#rules). */
export type RuleOnlyPredicate =
  /** The distinct tokens occur in the text with at most `distance` steps between them (`"a b"~2`). */
  | { readonly kind: 'near'; readonly tokens: readonly string[]; readonly distance: number }
  /** The author's profile contains the tokens. */
  | { readonly kind: 'profile'; readonly part: 'bio' | 'name' | 'location'; readonly phrase: TokenPhrase }
  /** The title or description of a link contains the tokens. */
  | { readonly kind: 'link'; readonly part: 'title' | 'description'; readonly phrase: TokenPhrase }
  /** An address of a link contains this text, in lower case. */
  | { readonly kind: 'address-part'; readonly text: string }
  /** The app that wrote the post has this name; folded. */
  | { readonly kind: 'source'; readonly name: string }
  /** The author's count is within these bounds. */
  | {
      readonly kind: 'author-count';
      readonly counted: AuthorCount;
      readonly least: number;
      readonly most: number;
    }
  /** The author is an affiliate of the user, or the post replies to one. */
  | { readonly kind: 'affiliate'; readonly role: 'author' | 'addressee'; readonly user: UserRef };

/** A condition of stream rules. */
export type RulePredicate = CommonPredicate | RuleOnlyPredicate;
