import { expect, test } from 'vitest';
import { startNetwork } from './support/network.js';
import { idsIn } from './support/pages.js';

/** The newest public posts of all users, and the search of people by apps (docs/api/pipit.md#newest-posts). */

test('the newest posts are those that everybody may read, without replies and reposts', async () => {
  const network = await startNetwork({ users: [{ username: 'erin', protected: true }] });
  const first = await network.posted('alice', 'one');
  const second = await network.posted('bob', 'two');
  await network.posted('erin', 'hers');
  await network.posted('bob', { text: 'a reply', reply: { in_reply_to_tweet_id: first } });
  await network.posted('frank', 'gone');
  await network.suspend('frank');
  const read = async (query = '') => idsIn(await network.app.get(`/_pipit/posts/newest${query}`));
  expect(await read()).toEqual([second, first]);
  expect(await read('?max_results=1')).toEqual([second]);
  expect(await read(`?until_id=${second}`)).toEqual([first]);
  expect((await network.app.get('/_pipit/posts/newest?max_results=0')).status).toBe(400);
});

test('apps search for people', async () => {
  const network = await startNetwork();
  const { status, body } = await network.app.get('/_pipit/users/search?query=ali');
  expect([status, body.data[0].username]).toEqual([200, 'alice']);
  expect((await network.app.get('/2/users/search?query=ali')).status).toBe(403);
});
