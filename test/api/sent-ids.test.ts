import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { missingTarget } from './support/errors.js';
import { ID, openNetwork, postId, type Network } from './support/network.js';

/** Ids with leading zeros are equivalent; a 404 repeats the id as sent (docs/api/errors.md). */

const ME = `/2/users/${ID.bob}`;

let network: Network;
beforeAll(async () => {
  network = await openNetwork({ posts: [{ id: postId(1), author: 'alice', text: 'one' }] });
});
afterAll(() => network.close());

test.each([
  ['POST', `${ME}/likes`, { tweet_id: '00404' }, ['tweet', 'tweet_id']],
  ['POST', `${ME}/retweets`, { tweet_id: '00404' }, ['tweet', 'tweet_id']],
  ['POST', `${ME}/bookmarks`, { tweet_id: '00404' }, ['tweet', 'tweet_id']],
  ['POST', `${ME}/following`, { target_user_id: '00404' }, ['user', 'target_user_id']],
  ['POST', `${ME}/blocking`, { target_user_id: '00404' }, ['user', 'target_user_id']],
  ['POST', `${ME}/muting`, { target_user_id: '00404' }, ['user', 'target_user_id']],
  ['POST', `${ME}/followed_lists`, { list_id: '00404' }, ['list', 'list_id']],
  [
    'POST',
    '/2/dm_conversations',
    { participant_ids: ['12', '00404'], text: 'hi' },
    ['user', 'participant_ids'],
  ],
  ['DELETE', '/2/tweets/00404', undefined, ['tweet', 'id']],
  ['DELETE', '/2/lists/00404', undefined, ['list', 'id']],
  ['PUT', '/2/tweets/00404/hidden', { hidden: true }, ['tweet', 'id']],
  ['POST', '/2/dm_conversations/with/00404/messages', { text: 'hi' }, ['user', 'participant_id']],
  ['GET', '/2/dm_conversations/with/00404/dm_events', undefined, ['user', 'participant_id']],
] as const)('%s %s %j of an unknown object repeats the id as sent', async (method, path, body, names) => {
  const bob = network.as('bob');
  const call = { GET: bob.get, DELETE: bob.delete, POST: bob.post, PUT: bob.put }[method];
  const answer = await call(path, body);
  expect([answer.status, answer.body]).toEqual([404, missingTarget(names[0], names[1], '00404')]);
});

test('a body with a byte order mark is accepted', async () => {
  const answer = await network.as('bob').post(`${ME}/likes`, '\uFEFF{"tweet_id":"00404"}');
  expect([answer.status, answer.body]).toEqual([404, missingTarget('tweet', 'tweet_id', '00404')]);
});

test('ids with leading zeros identify the same objects, including one’s own account', async () => {
  const bob = network.as('bob');
  const liked = await bob.post(`/2/users/0${ID.bob}/likes`, { tweet_id: postId(1) });
  expect([liked.status, liked.body]).toEqual([200, { data: { liked: true } }]);
  const followed = await bob.post(`/2/users/00${ID.bob}/following`, { target_user_id: `000${ID.alice}` });
  expect(followed.body.data).toEqual({ following: true, pending_follow: false });
  const ended = await bob.delete(`/2/users/0${ID.bob}/following/0${ID.alice}`);
  expect(ended.body.data).toEqual({ following: false });
});

test.each(
  endpoints
    .filter(
      ({ method, path, access }) => method === 'GET' && /^\/2\/.*\/\{id\}/.test(path) && isForAll(access),
    )
    .map(({ path }) => path.replace('{id}', '00404')),
)('GET %s repeats the id as sent', async (path) => {
  const { status, body } = await network.app.get(path);
  expect([status, body.errors?.[0]?.value, body.errors?.[0]?.resource_id]).toEqual([200, '00404', '00404']);
});

function isForAll(access: AnyEndpoint['access']): boolean {
  return access !== 'public' && access.contexts.includes('app');
}
