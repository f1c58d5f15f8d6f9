import { PipitError } from '../../../core/errors.js';
import { POST_SELECTION } from '../../api/fields.js';
import type { WirePost, WireUser } from '../../api/objects.js';
import { cardsOf, cardsOfIds } from '../../posts/load-cards.js';
import { profilePath } from '../../posts/paths.js';
import { titleText } from '../../posts/rich-text.js';
import { shownName } from '../../shown-name.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { listName, listPath, type WireList } from '../lists/list-objects.js';
import { idInPath } from '../../id-in-path.js';
import { FIRST_TIME, POSTS_PER_PAGE } from '../posts/public-pages.js';
import type { Feed } from './feed-formats.js';

/** Returns the posts of the user in the path that visitors see. */
export async function profileFeed({ api, request }: Visit, { publicUrl }: WebContext): Promise<Feed> {
  const asVisitor = api.asApp();
  const username = request.path['username'] ?? '';
  const { data: user } = await asVisitor.call<WireUser>('findUserByUsername', { username });
  if (!user) throw new PipitError({ code: 'route-not-found' });
  const found = await asVisitor.call<WirePost[]>('usersIdTweets', {
    id: user.id,
    max_results: POSTS_PER_PAGE,
    ...POST_SELECTION,
  });
  return {
    title: `${shownName(user)} (@${user.username})`,
    pageUrl: publicUrl + profilePath(user),
    ownUrl: publicUrl + request.url,
    publicUrl,
    cards: await cardsOf(asVisitor, found),
  };
}

/** Returns the public posts that match the query `q`. */
export async function searchFeed({ api, query, request }: Visit, { publicUrl }: WebContext): Promise<Feed> {
  const asVisitor = api.asApp();
  const q = (query.get('q') ?? '').trim();
  const { data = [] } = await asVisitor.call<WirePost[]>('tweetsFullarchiveSearch', {
    query: q,
    max_results: POSTS_PER_PAGE,
    start_time: FIRST_TIME,
  });
  const cards = await cardsOfIds(
    asVisitor,
    data.map(({ id }) => id),
  );
  return {
    title: `Search: ${titleText(q)}`,
    pageUrl: `${publicUrl}/search?${new URLSearchParams({ q }).toString()}`,
    ownUrl: publicUrl + request.url,
    publicUrl,
    cards: [...cards.values()],
  };
}

/** Returns the posts of the members of the List in the path, if visitors see the List. */
export async function listFeed(visit: Visit, { publicUrl }: WebContext): Promise<Feed> {
  const asVisitor = visit.api.asApp();
  const id = idInPath(visit);
  const { data: list } = await asVisitor.call<WireList>('listIdGet', { id });
  if (!list) throw new PipitError({ code: 'route-not-found' });
  const found = await asVisitor.call<WirePost[]>('listsIdTweets', {
    id,
    max_results: POSTS_PER_PAGE,
    ...POST_SELECTION,
  });
  return {
    title: `List: ${listName(list)}`,
    pageUrl: publicUrl + listPath(id),
    ownUrl: publicUrl + visit.request.url,
    publicUrl,
    cards: await cardsOf(asVisitor, found),
  };
}
