import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { POST_SELECTION, USER_SELECTION } from '../api/fields.js';
import type { Envelope, WirePost, WireUser } from '../api/objects.js';
import { note } from '../fields.js';
import { cardsOf, cardsOfIds } from '../posts/load-cards.js';
import { followButton } from '../posts/follow-button.js';
import { isTag, tagPath } from '../posts/paths.js';
import { peoplePage, userList } from '../posts/user-list.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { feedLink, feedLinks } from './feeds/feed-links.js';
import { searchForm } from './search-form.js';
import { changeSavedSearch, savedSearches } from './saved-searches.js';
import { overTime, searchPath, timeOf } from './search-over-time.js';
import {
  beforeOf,
  FIRST_TIME,
  postList,
  POSTS_PER_PAGE,
  publicPage,
  showPage,
} from './posts/public-pages.js';

/** `/search` finds public posts and people; `/explore` shows what people write about now. */
export const searchRoutes: CreateRoutes = (pages, context) => [
  publicPage(pages, context, '/search', (visit) => showSearch(visit, context)),
  pages.acceptFromUser('/search', (visit) => {
    const query = queryOf(visit);
    if (query === '') return visit.goTo('/explore');
    return changeSavedSearch(visit, query, (refusal) => showSearch(visit, context, refusal));
  }),
  publicPage(pages, context, '/explore', (visit) => showExplore(visit, context)),
];

/** The kinds of results, as the query parameter `f` names them. */
const KINDS = { latest: 'Latest', relevance: 'Top', people: 'People', time: 'Over time' } as const;
type Kind = keyof typeof KINDS;

function kindOf({ query }: Visit): Kind {
  const sent = query.get('f') ?? '';
  return Object.hasOwn(KINDS, sent) ? (sent as Kind) : 'latest';
}

function queryOf({ query }: Visit): string {
  return (query.get('q') ?? '').trim();
}

/** Shows what a search finds. `refusal` is why the search was not saved. */
async function showSearch(visit: Visit, context: WebContext, refusal?: Html): Promise<Answer> {
  const query = queryOf(visit);
  if (query === '') return visit.goTo('/explore');
  const kind = kindOf(visit);
  const results = await resultsOrFault(visit, context, query, kind);
  return showPage(
    visit,
    {
      title: `Search: ${query}`,
      isPublic: false,
      hasSearch: true,
      isRefused: refusal !== undefined,
      feeds:
        kind === 'people'
          ? undefined
          : feedLinks('/search', `Search: ${query}`, `?${new URLSearchParams({ q: query }).toString()}`),
    },
    html`<h1 class="hidden">Search</h1>
      ${refusal} ${searchForm(query)} ${await savedSearches(visit, query)} ${kindTabs(query, kind)} ${results}`,
  );
}

/** Returns the results; for a query that cannot be read, what is wrong with it. */
async function resultsOrFault(visit: Visit, context: WebContext, query: string, kind: Kind): Promise<Html> {
  try {
    if (kind === 'time') return await overTime(visit, query);
    return kind === 'people' ? await people(visit, context, query) : await posts(visit, context, query, kind);
  } catch (error) {
    if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') throw error;
    return note('bad', error.failure.violations.map(({ message }) => message).join(' '));
  }
}

async function posts(
  visit: Visit,
  context: WebContext,
  query: string,
  kind: 'latest' | 'relevance',
  path = searchPath(query, { f: kind, ...timeOf(visit) }),
): Promise<Html> {
  const isLatest = kind === 'latest';
  const { from = FIRST_TIME, to } = timeOf(visit);
  const found = await visit.api.asApp().call<WirePost[]>('tweetsFullarchiveSearch', {
    query,
    max_results: POSTS_PER_PAGE,
    start_time: from,
    end_time: to,
    sort_order: isLatest ? 'recency' : 'relevancy',
    until_id: isLatest ? beforeOf(visit) : undefined,
    next_token: isLatest ? undefined : (visit.query.get('page') ?? undefined),
  });
  const ids = (found.data ?? []).map(({ id }) => id);
  return postList(visit, context, {
    cards: [...(await cardsOfIds(visit.api, ids)).values()],
    path,
    next: nextOf(found, isLatest, ids.at(-1)),
    none: 'No public post matches.',
    label: 'Results',
  });
}

function nextOf(
  { meta }: Envelope<unknown>,
  isLatest: boolean,
  last: string | undefined,
): Readonly<Record<string, string>> | undefined {
  const token = meta?.next_token;
  if (token === undefined || last === undefined) return undefined;
  return isLatest ? { before: last } : { page: token };
}

async function people(visit: Visit, context: WebContext, query: string): Promise<Html> {
  const found = await visit.api.call<WireUser[]>('findPeople', {
    query,
    max_results: 50,
    next_token: visit.query.get('page') ?? undefined,
    ...USER_SELECTION,
  });
  return peoplePage(visit, context, {
    users: found.data ?? [],
    path: searchPath(query, { f: 'people' }),
    next: found.meta?.next_token,
    label: 'People',
    none: 'Nobody matches.',
  });
}

function kindTabs(query: string, current: Kind): Html {
  return html`<nav class="kinds" aria-label="Results">
    ${Object.entries(KINDS).map(([kind, label]) => {
      const path = searchPath(query, { f: kind });
      return html`<a href="${path}" ${kind === current && html`aria-current="page"`}>${label}</a>`;
    })}
    ${feedLink('/search', `?${new URLSearchParams({ q: query }).toString()}`)}
  </nav>`;
}

interface WireTrend {
  readonly trend_name: string;
  readonly tweet_count?: number;
}

async function showExplore(visit: Visit, context: WebContext): Promise<Answer> {
  const { data: trends = [] } = await visit.api.asApp().call<WireTrend[]>('getTrendsByWoeid', { woeid: '1' });
  const tags = trends.map(tagOf).filter((tag) => tag !== undefined);
  return showPage(
    visit,
    { title: 'Explore', isPublic: false, hasSearch: true },
    html`<h1>Explore</h1>
      ${searchForm('')} ${await savedSearches(visit)} ${trendList(trends)}
      ${await suggestions(visit, context)}
      ${tags.length === 0 ? await newestPosts(visit, context) : await postsAbout(visit, context, tags)}`,
  );
}

/** Returns users to follow; undefined for visitors, and if there are none. */
async function suggestions(visit: Visit, { publicUrl }: WebContext): Promise<Html | undefined> {
  if (!visit.viewer || beforeOf(visit) !== undefined) return undefined;
  const { data = [] } = await visit.api.call<WireUser[]>('getSuggestions', {
    max_results: 3,
    ...USER_SELECTION,
  });
  if (data.length === 0) return undefined;
  return html`<section aria-labelledby="people">
    <h2 id="people">People to follow</h2>
    ${userList(data, publicUrl, '', followButton)}
  </section>`;
}

/** Returns the newest public posts of all users, where nothing is trending. */
async function newestPosts(visit: Visit, context: WebContext): Promise<Html> {
  const found = await visit.api.call<WirePost[]>('getNewestPosts', {
    max_results: POSTS_PER_PAGE,
    until_id: beforeOf(visit),
    ...POST_SELECTION,
  });
  const last = found.data?.at(-1)?.id;
  return html`<h2>Newest posts</h2>
    ${postList(visit, context, {
      cards: await cardsOf(visit.api, found),
      path: '/explore',
      next: last === undefined ? undefined : { before: last },
      none: beforeOf(visit) === undefined ? 'Nobody has posted yet.' : 'No older posts.',
      label: 'Newest posts',
    })}`;
}

/** Returns the word of a trend whose hashtag has a page. */
function tagOf({ trend_name: name }: WireTrend): string | undefined {
  const word = name.replace(/^#/, '');
  return isTag('#', word) ? word : undefined;
}

/** The most hashtags in one query, within its length. */
const MAX_TAGS = 8;

async function postsAbout(visit: Visit, context: WebContext, tags: readonly string[]): Promise<Html> {
  const anyTag = tags
    .slice(0, MAX_TAGS)
    .map((tag) => `#${tag}`)
    .join(' OR ');
  return html`<h2>Posts about them</h2>
    ${await posts(visit, context, `(${anyTag}) -is:retweet`, 'latest', '/explore')}`;
}

function trendList(trends: readonly WireTrend[]): Html | undefined {
  if (trends.length === 0) return undefined;
  return html`<section aria-labelledby="trends">
    <h2 id="trends">Trends</h2>
    <ul class="trends">
      ${trends.map(({ trend_name: name, tweet_count: count }) => {
        const word = name.replace(/^#/, '');
        const path = isTag('#', word)
          ? tagPath('#', word)
          : `/search?${new URLSearchParams({ q: name }).toString()}`;
        return html`<li>
          <a href="${path}"><bdi>${name}</bdi></a>
          ${count !== undefined && html`<span class="hint">${count === 1 ? '1 post' : `${count} posts`}</span>`}
        </li>`;
      })}
    </ul>
  </section>`;
}
