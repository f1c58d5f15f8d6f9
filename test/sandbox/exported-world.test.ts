import { expect, test } from 'vitest';
import type { LooseJson } from '../support/loose-json.js';
import { APP } from '../support/world.js';
import { requireSameWhenLoaded } from './support/exported-world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const created = async (
  { send }: TestSandbox,
  ...args: Parameters<TestSandbox['send']>
): Promise<LooseJson> => {
  const { status, body } = await send(...args);
  expect([args[1], status < 300, body]).toEqual([args[1], true, body]);
  return body?.data as LooseJson;
};

test('an export holds the folders of bookmarks with their posts in order', async () => {
  await using pipit = await startTestSandbox();
  const alice = await pipit.tokenOf('alice');
  const bookmarks = '/2/users/1001/bookmarks';
  const folder = await created(pipit, 'POST', `${bookmarks}/folders`, alice, { name: 'Herons' });
  await created(pipit, 'POST', `${bookmarks}/folders`, alice, { name: 'Empty' });
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three'])
    ids.push((await created(pipit, 'POST', '/2/tweets', alice, { text })).id as string);
  for (const tweet_id of [ids[2], ids[0]])
    await created(pipit, 'POST', bookmarks, alice, { tweet_id, folder_id: folder.id });
  const world = await requireSameWhenLoaded(pipit, [
    [bookmarks, alice],
    [`${bookmarks}/folders`, alice],
    [`${bookmarks}/folders/${folder.id}`, alice],
  ]);
  expect(world.bookmark_folders).toEqual([
    { id: folder.id, user: 'alice', name: 'Herons', posts: [ids[2], ids[0]] },
    { id: expect.any(String), user: 'alice', name: 'Empty' },
  ]);
});

test('an export holds blocks of direct messages', async () => {
  await using pipit = await startTestSandbox();
  const alice = await pipit.tokenOf('alice');
  await created(pipit, 'POST', '/2/users/1002/dm/block', alice);
  const world = await requireSameWhenLoaded(pipit, []);
  expect(world.dm_blocks).toEqual([{ from: 'alice', to: 'bob' }]);
  await pipit.control('PUT', '/world', world);
  const bob = await pipit.tokenOf('bob');
  const { status } = await pipit.send('POST', '/2/dm_conversations/with/1001/messages', bob, { text: 'hi' });
  expect(status).toBe(403);
});

test('an export holds the rules of filtered streams', async () => {
  await using pipit = await startTestSandbox();
  const rules = '/2/tweets/search/stream/rules';
  const add = [{ value: 'heron has:images', tag: 'birds' }, { value: 'from:alice -is:retweet' }];
  await created(pipit, 'POST', rules, APP.bearer_token, { add });
  const world = await requireSameWhenLoaded(pipit, [[rules, APP.bearer_token]]);
  expect(world.stream_rules).toMatchObject(add.map((rule) => ({ app: APP.id, ...rule })));
});

test('an export holds the community of a post and what its author says about it', async () => {
  await using pipit = await startTestSandbox();
  const communities = [{ id: '7001', name: 'Pond', members: ['alice'] }];
  await pipit.control('POST', '/world', { communities });
  const alice = await pipit.tokenOf('alice');
  const said = { made_with_ai: true, paid_partnership: true, nullcast: true };
  const inside = { community_id: '7001', share_with_followers: true };
  const post = await created(pipit, 'POST', '/2/tweets', alice, { text: 'In the pond', ...inside, ...said });
  const card = await created(pipit, 'POST', '/2/tweets', alice, { text: 'A card', card_uri: 'card://1' });
  const fields = 'tweet.fields=community_id,paid_partnership,card_uri,text';
  const world = await requireSameWhenLoaded(pipit, [
    [`/2/tweets/${post.id}?${fields}`, alice],
    [`/2/tweets/${card.id}?${fields}`, alice],
    ['/2/users/1001/timelines/reverse_chronological', alice],
  ]);
  expect(world.posts).toContainEqual(
    expect.objectContaining({ community: '7001', share_with_followers: true, ...said }),
  );
  expect(world.posts).toContainEqual(expect.objectContaining({ id: card.id, card_uri: 'card://1' }));
});
