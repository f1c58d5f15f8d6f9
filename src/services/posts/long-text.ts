import type { Entities } from '../../core/entities.js';
import type { UserId } from '../../core/ids.js';
import { MAX_LONG_POST_WEIGHT, MAX_POST_WEIGHT } from '../../core/limits.js';
import { beginningOf } from '../../core/post-text/cut.js';
import { escapeText } from '../../core/post-text/escape.js';
import { weightedLength } from '../../core/post-text/length.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import type { Queryable } from '../../database/engine.js';
import { findUser } from '../../stores/users.js';
import type { ComposedText } from './compose-text.js';
import { appendedUrls } from './link-entities.js';

/** Long posts (docs/api/posts.md#long-posts). */

const ELLIPSIS = '…';

/** Returns the maximum weight of the posts of a user: subscribers may write long ones. */
export async function maxPostWeight(db: Queryable, userId: UserId): Promise<number> {
  const user = await findUser(db, userId);
  return user?.subscriptionType === undefined ? MAX_POST_WEIGHT : MAX_LONG_POST_WEIGHT;
}

/**
 * Returns the shortened text of a long post: the handles that were added before the typed text, its beginning with an
 * ellipsis, and the links that were added behind it; undefined if the typed text has the usual length. `entities` are
 * those of the whole text.
 */
export function shortened(
  { text, links }: ComposedText,
  entities: Entities | undefined,
  typed: TypedText,
): { readonly text: string; readonly entities: Entities | undefined } | undefined {
  // A character weighs at most 2.
  if (typed.text.length <= MAX_POST_WEIGHT / 2 || weightedLength(typed.text) <= MAX_POST_WEIGHT)
    return undefined;
  const appended = links.map(({ url }) => ` ${url}`).join('');
  const prefix = text.slice(0, text.length - appended.length - typed.text.length);
  const room = MAX_POST_WEIGHT - weightedLength(ELLIPSIS);
  const kept = prefix + beginningOf(typed.text, typed.entities, room);
  return {
    text: kept + ELLIPSIS + appended,
    entities: entitiesWithin(kept, entities, appendedUrls(kept + ELLIPSIS, links)),
  };
}

/** Returns the entities that lie within the beginning of their text, and further URLs. */
function entitiesWithin(
  beginning: string,
  entities: Entities | undefined,
  urls: NonNullable<Entities['urls']>,
): Entities | undefined {
  const end = Array.from(escapeText(beginning)).length;
  const within = Object.entries({ urls: [], ...entities }).map(([kind, items]) => [
    kind,
    [...items.filter((item: { end: number }) => item.end <= end), ...(kind === 'urls' ? urls : [])],
  ]);
  const filled = within.filter(([, items]) => items !== undefined && items.length > 0);
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as Entities);
}
