import type { WirePost, WireUser } from '../../api/objects.js';
import { cardsOfIds } from '../../posts/load-cards.js';
import type { Visit } from '../../visit.js';
import { beforeOf, POSTS_PER_PAGE } from '../posts/public-pages.js';
import { isRefused, type UserPosts } from './user-posts.js';

/** The posts of a timeline that one request takes. */
const CHUNK = 100;

/** The requests for one page. An account that rarely posts media has pages with few of them, and a link to older ones. */
const MAX_CHUNKS = 5;

/** Reads a page of the posts of a user that have media, newest first; undefined if the viewer may not see them. */
export async function findMedia(visit: Visit, user: WireUser): Promise<UserPosts | undefined> {
  const ids: string[] = [];
  let before = beforeOf(visit);
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const found = await visit.api.call<WirePost[]>('usersIdTweets', {
      id: user.id,
      exclude: ['retweets'],
      max_results: CHUNK,
      until_id: before,
      'tweet.fields': ['attachments'],
    });
    if (isRefused(found)) return undefined;
    const posts = found.data ?? [];
    const withMedia = posts.filter(({ attachments }) => (attachments?.media_keys ?? []).length > 0);
    ids.push(...withMedia.map(({ id }) => id).slice(0, POSTS_PER_PAGE - ids.length));
    const isFull = ids.length === POSTS_PER_PAGE;
    before = isFull ? ids.at(-1) : posts.at(-1)?.id;
    if (!isFull && found.meta?.next_token === undefined) before = undefined;
    if (isFull || before === undefined) break;
  }
  const cards = await cardsOfIds(visit.api, ids);
  return { cards: [...cards.values()], next: before === undefined ? undefined : { before } };
}
