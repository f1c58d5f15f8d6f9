import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ID, openNetwork, postId, type Network } from './support/network.js';
import { pageAt, walkPages } from './support/pages.js';

/**
 * Paging of every endpoint that reads Lists (docs/api/lists.md, docs/api/requests.md#paging,
 * docs/api/requests.md#meta).
 */

const OTHERS = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
const LIST_IDS = ['501', '502', '503', '504', '505'];

let network: Network;

/**
 * alice owns five Lists; bob is a member of each and carol follows each. All others are members and followers of the
 * first.
 */
beforeAll(async () => {
  network = await openNetwork({
    posts: OTHERS.map((author, n) => ({ id: postId(n + 1), author, text: `By ${author}` })),
    lists: LIST_IDS.map((id, n) => ({
      id,
      owner: 'alice',
      name: `List ${id}`,
      members: n === 0 ? OTHERS : ['bob'],
      followers: n === 0 ? OTHERS : ['carol'],
    })),
  });
});
afterAll(() => network.close());

const newestFirst = OTHERS.map((name) => ID[name]).reverse();
const LISTINGS: readonly (readonly [path: string, ids: readonly string[]])[] = [
  [`/2/users/${ID.alice}/owned_lists`, LIST_IDS.toReversed()],
  [`/2/users/${ID.bob}/list_memberships`, LIST_IDS.toReversed()],
  [`/2/users/${ID.carol}/followed_lists`, LIST_IDS.toReversed()],
  ['/2/lists/501/members', newestFirst],
  ['/2/lists/501/followers', newestFirst],
  ['/2/lists/501/tweets', OTHERS.map((_, n) => postId(n + 1)).reverse()],
];

describe.each(LISTINGS)('%s', (path, ids) => {
  test('returns everything in one page, newest first, with the count and without tokens', async () => {
    expect(await pageAt(network.app, path)).toEqual({ ids, meta: { result_count: 5 } });
  });

  test('returns pages that joined equal the whole, forward and backward', async () => {
    const pages = await walkPages(network.app, path, 2);
    expect(pages.map((page) => page.ids)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    for (const at of [2, 1]) {
      const back = await pageAt(
        network.app,
        path,
        `?max_results=2&pagination_token=${pages[at]?.meta.previous_token}`,
      );
      expect(back.ids).toEqual(pages[at - 1]?.ids);
    }
  });

  test('accepts 1 to 100 results per page and rejects the token of another list', async () => {
    for (const size of [0, 101]) {
      expect((await network.app.get(`${path}?max_results=${size}`)).status).toBe(400);
    }
    expect((await network.app.get(`${path}?max_results=1`)).body.meta.result_count).toBe(1);
    const other = path === LISTINGS[0]?.[0] ? LISTINGS[1] : LISTINGS[0];
    const { meta } = await pageAt(network.app, other?.[0] ?? '', '?max_results=1');
    expect((await network.app.get(`${path}?pagination_token=${meta.next_token}`)).status).toBe(400);
  });
});
