import { html, type Html } from '../../../api/reference/html.js';
import { POST_SELECTION } from '../../api/fields.js';
import type { WirePost, WireUser } from '../../api/objects.js';
import type { CallArguments } from '../../../api/call-arguments.js';
import { cardOfId, cardsOf, type PostCard } from '../../posts/load-cards.js';
import { profilePath } from '../../posts/paths.js';
import { tabLinks } from '../../tab-links.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { beforeOf, postList, POSTS_PER_PAGE, readPosts } from '../posts/public-pages.js';
import { findMedia } from './find-media.js';
import { isRefused, type UserPosts } from './user-posts.js';

/** Reads a page of posts; undefined if the viewer may not see them. */
export type ReadPosts = (visit: Visit, user: WireUser) => Promise<UserPosts | undefined>;

interface ProfileTab {
  readonly label: string;
  readonly none: string;
  readonly read: ReadPosts;
}

/** The tabs of a profile by the last segments of their paths, which are those of the original. */
export const PROFILE_TABS = {
  '': { label: 'Posts', none: 'No posts yet.', read: byId('usersIdTweets', { exclude: ['replies'] }) },
  with_replies: { label: 'Replies', none: 'No posts or replies yet.', read: byId('usersIdTweets') },
  media: { label: 'Media', none: 'No pictures or videos yet.', read: findMedia },
  likes: { label: 'Likes', none: 'No likes yet.', read: byToken('usersIdLikedTweets') },
  articles: { label: 'Articles', none: 'No articles yet.', read: byToken('getUserArticles') },
} as const satisfies Readonly<Record<string, ProfileTab>>;

export type ProfileTabName = keyof typeof PROFILE_TABS;

/** Returns the path of a tab of a profile. */
function tabPath(user: WireUser, name: ProfileTabName): string {
  return name === '' ? profilePath(user) : `${profilePath(user)}/${name}`;
}

/** Returns the links to the tabs of a profile and the posts of one of them. */
export async function profileTab(
  visit: Visit,
  deps: WebContext,
  user: WireUser,
  name: ProfileTabName,
): Promise<Html> {
  const { label, none, read } = PROFILE_TABS[name];
  const found = await read(visit, user);
  if (found === undefined) return closedNote(visit, user.protected === true);
  const isFirst = !visit.query.has('before') && !visit.query.has('page');
  const pinned = name === '' && isFirst ? await pinnedPost(visit, user) : undefined;
  const posts = postList(visit, deps, {
    cards: found.cards,
    pinned,
    path: tabPath(user, name),
    next: found.next,
    none: isFirst && found.next === undefined ? none : 'No more posts here.',
    label: `${label} of ${user.username}`,
  });
  return html`${tabLinks('Profile', await tabsOf(visit, user, name), tabPath(user, name))}
    <section aria-label="${label}">
      <h2 class="hidden">${label}</h2>
      ${posts}
    </section>`;
}

/** Returns the tabs of a user; the one of articles only if there are any, or if it is shown. */
async function tabsOf({ api }: Visit, user: WireUser, current: ProfileTabName) {
  const hasArticles =
    current === 'articles' ||
    (await api.call<unknown[]>('getUserArticles', { id: user.id, max_results: 1 })).data !== undefined;
  return (Object.keys(PROFILE_TABS) as ProfileTabName[])
    .filter((name) => name !== 'articles' || hasArticles)
    .map((name) => ({ path: tabPath(user, name), label: PROFILE_TABS[name].label }));
}

async function pinnedPost({ api }: Visit, { pinned_tweet_id: id }: WireUser): Promise<PostCard | undefined> {
  return id === undefined ? undefined : (await cardOfId(api, id)).card;
}

/** Reads posts that are ordered by their ids: a page ends before an id, which stays right when newer posts come. */
function byId(operation: string, more: CallArguments = {}): ReadPosts {
  return async (visit, user) => {
    const found = await visit.api.call<WirePost[]>(operation, {
      id: user.id,
      max_results: POSTS_PER_PAGE,
      until_id: beforeOf(visit),
      ...more,
      ...POST_SELECTION,
    });
    if (isRefused(found)) return undefined;
    const last = found.data?.at(-1)?.id;
    const isEnd = found.meta?.next_token === undefined || last === undefined;
    return { cards: await cardsOf(visit.api, found), next: isEnd ? undefined : { before: last } };
  };
}

/** Reads posts in another order, with the tokens of the endpoint. */
function byToken(operation: string): ReadPosts {
  return async (visit, user) => {
    const { found, ...posts } = await readPosts(visit, operation, user.id);
    return isRefused(found) ? undefined : posts;
  };
}

function closedNote(visit: Visit, isProtected: boolean): Html {
  if (!isProtected) return html`<p class="note">You are blocked from seeing these posts.</p>`;
  return html`<p class="note">
    These posts are protected: only approved followers can see
    them.${!visit.viewer && ' Sign in if you are one of them.'}
  </p>`;
}
