import { describe, expect, test } from 'vitest';
import { addMember, createList, removeMember } from './support/lists.js';
import { ID, postId, startNetwork, type Name, type Network, type World } from './support/network.js';
import { idsIn, pageAt, walkPages } from './support/pages.js';
import { block, mute } from './support/relations.js';

/**
 * The posts of a List (docs/api/lists.md, docs/api/people.md#follows-blocks-and-mutes,
 * docs/api/objects.md#visibility).
 */

const LIST = '501';

function worldOf(members: readonly Name[], world: World): World {
  return { ...world, lists: [{ id: LIST, owner: 'alice', name: 'Pond', members }] };
}

async function postsFor(network: Network, viewer: Name | 'app'): Promise<string[]> {
  const caller = viewer === 'app' ? network.app : network.as(viewer);
  return [...(await pageAt(caller, `/2/lists/${LIST}/tweets`)).ids];
}

test('are the posts, replies, quotes and reposts of members only, newest first', async () => {
  const network = await startNetwork(
    worldOf(['bob', 'carol'], {
      posts: [
        { id: postId(1), author: 'bob', text: 'By bob' },
        { id: postId(2), author: 'dave', text: 'By dave' },
        { id: postId(3), author: 'carol', text: 'Reply', in_reply_to: postId(2) },
        { id: postId(4), author: 'bob', repost_of: postId(2) },
        { id: postId(5), author: 'carol', text: 'Quote', quote_of: postId(2) },
        { id: postId(6), author: 'alice', text: 'By the owner, who is no member' },
      ],
    }),
  );
  expect(await postsFor(network, 'app')).toEqual([5, 4, 3, 1].map(postId));
  const { body } = await network.app.get(
    `/2/lists/${LIST}/tweets?max_results=1&expansions=author_id&tweet.fields=created_at&user.fields=protected`,
  );
  expect(body.data[0]).toMatchObject({ id: postId(5), author_id: ID.carol });
  expect(body.includes.users).toEqual([
    { id: ID.carol, username: 'carol', name: 'carol the bird', protected: false },
  ]);
});

test('change at once with the members, earlier posts included', async () => {
  const network = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'By bob' }] });
  const list = await createList(network, 'alice');
  const shown = async () => idsIn(await network.app.get(`/2/lists/${list}/tweets`));
  expect(await shown()).toEqual([]);
  await addMember(network, 'alice', list, 'bob');
  expect(await shown()).toEqual([postId(1)]);
  const newer = await network.posted('bob', 'More');
  expect(await shown()).toEqual([newer, postId(1)]);
  await network.as('bob').delete(`/2/tweets/${newer}`);
  expect(await shown()).toEqual([postId(1)]);
  await removeMember(network, 'alice', list, 'bob');
  expect(await shown()).toEqual([]);
});

describe('are filtered for each viewer', () => {
  const world = worldOf(['bob', 'carol'], {
    users: [{ username: 'bob', protected: true }],
    follows: [{ from: 'dave', to: 'bob' }],
    posts: [
      { id: postId(1), author: 'bob', text: 'For followers' },
      { id: postId(2), author: 'carol', text: 'For all' },
    ],
  });

  test('protected members’ posts are visible to their followers, whoever owns the List', async () => {
    const network = await startNetwork(world);
    for (const viewer of ['app', 'alice', 'erin'] as const) {
      expect(await postsFor(network, viewer), viewer).toEqual([postId(2)]);
    }
    for (const viewer of ['bob', 'dave'] as const) {
      expect(await postsFor(network, viewer), viewer).toEqual([postId(2), postId(1)]);
    }
  });

  test('posts of members who block the viewer are omitted, posts of muted members are not', async () => {
    const network = await startNetwork(world);
    await block(network, 'carol', 'erin');
    await mute(network, 'frank', 'carol');
    expect(await postsFor(network, 'erin')).toEqual([]);
    expect(await postsFor(network, 'frank')).toEqual([postId(2)]);
  });

  test('posts of suspended members are omitted', async () => {
    const network = await startNetwork(world);
    await network.suspend('carol');
    expect(await postsFor(network, 'dave')).toEqual([postId(1)]);
  });
});

describe('with many posts', () => {
  /** Starts with posts of members among posts of others. */
  async function startWithMany(count: number, isMember: (n: number) => boolean): Promise<Network> {
    const network = await startNetwork(worldOf(['bob', 'carol'], {}));
    const members = ['bob', 'carol'] as const;
    await network.addMany(
      Array.from({ length: count }, (_, n) => ({
        id: postId(n / 10),
        author: isMember(n) ? (members[n % 2] ?? 'bob') : 'dave',
      })),
    );
    return network;
  }

  test('return the newest 800, and joined pages equal the whole', async () => {
    const network = await startWithMany(850, () => true);
    const pages = await walkPages(network.app, `/2/lists/${LIST}/tweets`, 100);
    const ids = pages.flatMap((page) => page.ids);
    expect(ids).toEqual(Array.from({ length: 800 }, (_, n) => postId((849 - n) / 10)));
    expect(pages).toHaveLength(8);
  });

  // The first scan covers 1,000 posts.
  test('are found among many posts of others, forward and backward', async () => {
    const network = await startWithMany(2500, (n) => n % 137 === 0 || n < 10);
    const path = `/2/lists/${LIST}/tweets`;
    const { ids } = await pageAt(network.app, path);
    const expected = Array.from({ length: 2500 }, (_, n) => n).filter((n) => n % 137 === 0 || n < 10);
    expect(ids).toEqual(expected.reverse().map((n) => postId(n / 10)));
    const pages = await walkPages(network.app, path, 7);
    expect(pages.flatMap((page) => page.ids)).toEqual(ids);
    const last = pages.at(-1)?.meta.previous_token;
    const back = await pageAt(network.app, path, `?max_results=7&pagination_token=${last}`);
    expect(back.ids).toEqual(pages.at(-2)?.ids);
  });
});
