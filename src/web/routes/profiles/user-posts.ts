import type { Envelope } from '../../api/objects.js';
import type { PostCard } from '../../posts/load-cards.js';

/** A page of posts of a user. */
export interface UserPosts {
  readonly cards: readonly PostCard[];
  /** The query of the next page; undefined at the end. */
  readonly next: Readonly<Record<string, string>> | undefined;
}

/** Reports whether the viewer may not see the activity of the user. */
export function isRefused({ data, errors, meta }: Envelope<unknown>): boolean {
  return data === undefined && errors !== undefined && (meta?.result_count ?? 0) === 0;
}
