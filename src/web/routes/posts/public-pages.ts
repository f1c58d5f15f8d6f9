import type { Answer } from '../../../http/answer.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html, type Html } from '../../../api/reference/html.js';
import { parseId } from '../../../core/ids.js';
import { isReservedUsername } from '../../../core/reserved-usernames.js';
import { USERNAME_PATTERN } from '../../../core/user.js';
import type { Visibility } from '../../../core/visibility.js';
import { signInFirst, signInPath, type PageRoutes } from '../../page-routes.js';
import { POST_SELECTION } from '../../api/fields.js';
import type { Envelope, WirePost } from '../../api/objects.js';
import { distinctPosts } from '../../posts/distinct-posts.js';
import { cardsOf, type PostCard } from '../../posts/load-cards.js';
import { postCard, type CardContext } from '../../posts/post-card.js';
import { titleText } from '../../posts/rich-text.js';
import { NOT_FOR_ROBOTS } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { searchAside } from '../search-form.js';

/** Creates the route of a page of posts or profiles: open to everyone within limits, or to signed-in users. */
export function publicPage(
  pages: PageRoutes,
  deps: WebContext,
  path: string,
  handler: (visit: Visit) => Answer | Promise<Answer>,
): PlainRoute {
  const route = pages.show(path, async (visit) => {
    if (!visit.viewer && !deps.isOpen) return signInFirst(visit);
    if (!visit.viewer) deps.limitPages(deps.addressOf(visit.request));
    return handler(visit);
  });
  return { ...route, takes: takesNames };
}

/** Reports whether the first path segment can be a username and is not reserved. */
function takesNames({ username }: Readonly<Record<string, string | undefined>>): boolean {
  if (username === undefined || username === 'i') return true;
  return USERNAME_PATTERN.test(username) && !isReservedUsername(username);
}

/** Returns the data that cards need. */
export function cardContext(visit: Visit, { publicUrl, clock }: WebContext): CardContext {
  return {
    publicUrl,
    nowMs: clock(),
    isSignedIn: visit.viewer !== undefined,
    viewerId: visit.viewer?.user.id.toString(),
  };
}

/** Returns the id in the query parameter `before`, from which a page of posts goes back; undefined if there is none. */
export function beforeOf({ query }: Visit): string | undefined {
  return parseId(query.get('before') ?? '')?.toString();
}

/** Before the first post of any archive: a search without a start covers 30 days. */
export const FIRST_TIME = '2006-03-21T00:00:00Z';

/** The number of posts in a list. */
export const POSTS_PER_PAGE = 20;

/** A page of posts. */
interface PostList {
  readonly cards: readonly PostCard[];
  /** The path of its first page. */
  readonly path: string;
  /** The query of the next page; undefined at the end. */
  readonly next: Readonly<Record<string, string>> | undefined;
  /** What stands in place of posts where there are none. */
  readonly none: Html | string;
  /** What its posts are, for screen readers. */
  readonly label: string;
  /** The id of its newest entry, for lists that announce newer ones (docs/api/pipit.md#live). */
  readonly newest?: string;
  /** The post above the others, which is not repeated below. */
  readonly pinned?: PostCard;
}

/** Reads the page of posts that the query names, from an operation that lists posts of what has the id. */
export async function readPosts({ api, query }: Visit, operation: string, id: string) {
  const found = await api.call<WirePost[]>(operation, {
    id,
    max_results: POSTS_PER_PAGE,
    pagination_token: query.get('page') ?? undefined,
    ...POST_SELECTION,
  });
  return { found, cards: await cardsOf(api, found), next: nextOf(found) };
}

/** Returns the query of the page after the one in an answer; undefined at the end. */
export function nextOf({ meta }: Envelope<unknown>): { readonly page: string } | undefined {
  return meta?.next_token === undefined ? undefined : { page: meta.next_token };
}

/** Returns posts, each once, newest first, and links to the newest and to older ones. */
export function postList(visit: Visit, deps: WebContext, list: PostList): Html {
  const { path, next, none, label, newest, pinned } = list;
  const [first, ...others] = distinctPosts(
    [...(pinned ? [pinned] : []), ...list.cards],
    ({ post }) => post.id,
  );
  const context = cardContext(visit, deps);
  const isFirst = !visit.query.has('before') && !visit.query.has('page');
  const [base = '', query = ''] = path.split('?');
  const nextQuery = next && new URLSearchParams([...new URLSearchParams(query), ...Object.entries(next)]);
  const live =
    newest !== undefined && html`data-newest="${newest}" data-path="${path}" data-label="${label}"`;
  const feed = first && html`role="feed" aria-label="${label}"`;
  return html`<div class="timeline" data-viewer="${context.viewerId}" ${feed} ${live}>
      ${first && postCard(first, context, pinned && { note: html`Pinned` })}
      ${others.map((card) => postCard(card, context))}
    </div>
    ${!first && html`<p class="absent">${none}</p>`}
    <nav class="pages" aria-label="Pages">
      ${!isFirst && html`<a class="button plain" href="${path}">Newest posts</a>`}
      ${nextQuery && html`<a class="button plain" href="${base}?${nextQuery.toString()}" rel="next">Older posts</a>`}
    </nav>`;
}

/** The public properties of a page. */
export interface Shown {
  readonly title: string;
  /** What a public page says about itself. */
  readonly head?: Html;
  /** True when everyone may see the page. */
  readonly isPublic: boolean;
  /** True when the page has a field for searches: otherwise one stands beside it on wide screens. */
  readonly hasSearch?: boolean;
  /** The links to feeds, which show only what visitors see. */
  readonly feeds?: Html;
  /** True when the page shows a form again that was refused. */
  readonly isRefused?: boolean;
}

/** Returns a page filtered for the viewer. Only public pages may be cached, and caches must revalidate them. */
export function showPage(
  visit: Visit,
  { title, head, isPublic, hasSearch = false, feeds, isRefused }: Shown,
  body: Html,
): Answer {
  const isShared = isPublic && !visit.viewer;
  return visit.show(
    {
      title: titleText(title),
      status: isRefused === true ? 400 : 200,
      wide: 'posts',
      aside: visit.viewer && !hasSearch ? searchAside() : undefined,
      head: html`${isPublic ? head : NOT_FOR_ROBOTS}${feeds}`,
      signIn: signInPath({ next: visit.request.url }),
      headers: isShared ? { 'cache-control': 'public, no-cache', vary: 'cookie, accept-language' } : {},
    },
    body,
  );
}

/** Reports whether the object of a lookup belongs to a suspended account. */
export function isSuspended({ errors = [] }: Pick<Envelope<unknown>, 'errors'>): boolean {
  return errors.some(({ title }) => title === 'Forbidden');
}

/** Returns the page for content that the viewer may not see (403), with no other information about it. */
export function refusePage(visit: Visit, reason: Exclude<Visibility, 'visible'>): Answer {
  const signIn = signInPath({ next: visit.request.url });
  const { title, text } = REASONS[reason];
  return visit.show(
    { title, status: 403, head: NOT_FOR_ROBOTS, signIn },
    html`<h1>${title}</h1>
      <div class="card">
        <p>${text}</p>
        ${!visit.viewer && html`<div class="actions"><a class="button" href="${signIn}">Sign in</a></div>`}
      </div>`,
  );
}

const REASONS = {
  'not-authorized': {
    title: 'Not visible to you',
    text: 'The author’s posts are protected, or the author has blocked you.',
  },
  suspended: {
    title: 'This account is not available',
    text: 'The account is suspended or deactivated.',
  },
} as const;
