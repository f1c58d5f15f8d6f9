import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { createUntimedIds } from '../../database/search-untimed.js';
import { findPosts } from '../../stores/posts.js';
import { findRelations } from '../../stores/user-edges.js';
import { findAccountStates } from '../../stores/users.js';
import { pageByRelevancy } from './relevancy.js';
import { openSearch, type SearchPlan, type SearchRequest } from './search-plan.js';
import { listMatches, withFreshIndex } from './walk.js';
import { encodeWindow, openWindow, decodeWindow, type SearchBounds, type SearchWindow } from './window.js';

/** Newest first, or by engagement. */
export const SORT_ORDERS = ['recency', 'relevancy'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

interface PageSearchRequest extends SearchRequest {
  readonly bounds: SearchBounds;
  readonly order: SortOrder;
  /** Later pages keep the window of the first page. */
  readonly page: PageRequest;
}

export type SearchService = ReturnType<typeof createSearchService>;

/**
 * Creates the function that returns a page of matches (docs/api/search.md#window): ids, which views filter by what the
 * viewer may see. It throws 'invalid-request' for a query or window that is refused.
 */
export function createSearchService({ engine, clock }: { readonly engine: Engine; readonly clock: Clock }) {
  const parts = { engine, untimedIds: createUntimedIds(engine) };
  return async (request: PageSearchRequest): Promise<Page<PostId>> => {
    const { bounds, page, principal, product, order } = request;
    const { cursor } = page;
    const { window, plan } = await openSearch(engine, request, () =>
      cursor ? decodeWindow(bounds, cursor.extra) : openWindow(product, bounds, clock()),
    );
    if (plan === undefined) return { items: [] };
    const pageIn = order === 'recency' ? pageByRecency : pageByRelevancy;
    const found = await withFreshIndex(parts, plan, window, (located) =>
      pageIn(engine, located, window, page),
    );
    if (principal.context === 'app') return found;
    return { ...found, items: await exceptUnwanted(engine, principal.userId, found.items) };
  };
}

async function pageByRecency(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  { limit, cursor }: PageRequest,
): Promise<Page<PostId>> {
  const upTo = cursor && cursor.position - 1n;
  const { ids, stoppedAt } = await listMatches(engine, plan, window, limit + 1, upTo);
  const items = ids.slice(0, limit);
  const position = ids.length > limit ? items.at(-1) : stoppedAt;
  if (position === undefined) return { items };
  return { items, next: { direction: 'next', position, extra: encodeWindow(window) } };
}

/**
 * Removes posts by, or reposted from, authors that the viewer mutes or blocks, and authors that became protected
 * after indexing: search shows protected posts to no one (docs/api/search.md#matching, "Visibility"). Keeps the
 * order. Views apply the other visibility rules.
 */
async function exceptUnwanted(db: Queryable, viewerId: UserId, ids: readonly PostId[]): Promise<PostId[]> {
  const authors = await authorsOf(db, ids);
  const authorIds = [...new Set([...authors.values()].flat())];
  const states = await findAccountStates(db, authorIds);
  const { mutes, blocks } = await findRelations(db, viewerId, authorIds);
  const isUnwanted = (author: UserId): boolean =>
    mutes.has(author) || blocks.has(author) || states.get(author)?.protected === true;
  return ids.filter((id) => !(authors.get(id) ?? []).some(isUnwanted));
}

/** Returns the author of each post, and for reposts also the author of the original. */
async function authorsOf(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, UserId[]>> {
  const posts = await findPosts(db, ids);
  const repostedIds = [...posts.values()].flatMap(({ repostedPostId }) => repostedPostId ?? []);
  const originals = await findPosts(db, repostedIds);
  const authors = new Map<PostId, UserId[]>();
  for (const { id, authorId, repostedPostId } of posts.values()) {
    const original = repostedPostId === undefined ? undefined : originals.get(repostedPostId);
    authors.set(id, original ? [authorId, original.authorId] : [authorId]);
  }
  return authors;
}
