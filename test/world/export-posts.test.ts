import { expect, test } from 'vitest';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { findUserByUsername, renameUser } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { startCopy, startWith } from './support/exported.js';

const FIELDS =
  'tweet.fields=edit_controls,entities,in_reply_to_user_id,referenced_tweets,conversation_id,public_metrics' +
  '&expansions=edit_history_tweet_ids,referenced_tweets.id';

test('an export has all versions of edited posts; pins, likes and mentions stay', async () => {
  await using app = await startTestApp();
  const [alice, bob, carol] = [await app.as('alice'), await app.as('bob'), await app.as('carol')];
  const post = async (token: string, body: object): Promise<string> => {
    const { status, body: answer } = await app.post('/2/tweets', token, body);
    expect([status, answer.errors]).toEqual([201, undefined]);
    return answer.data.id as string;
  };
  const edit = (id: string, text: string) => post(alice, { text, edit_options: { previous_post_id: id } });
  const first = await post(alice, { text: 'A heron for @bob' });
  await app.put(`/2/users/${USERS.alice}/pinned_tweet`, alice, { tweet_id: first });
  await app.post(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: first });
  const second = await edit(first, 'Two herons for @carol');
  const quote = await post(bob, { text: 'Nice', quote_tweet_id: second });
  await app.post(`/2/users/${USERS.carol}/retweets`, carol, { tweet_id: second });
  const reply = await post(carol, { text: 'Where?', reply: { in_reply_to_tweet_id: second } });
  const third = await edit(second, 'Three herons for @carol and @dave');
  const asked = [
    ...[first, second, third, quote, reply].map((id) => [`/2/tweets/${id}?${FIELDS}`, alice] as const),
    [`/2/users/${USERS.alice}/tweets?${FIELDS}`, alice],
    [`/2/users/${USERS.carol}/mentions?${FIELDS}`, carol],
    [`/2/users/${USERS.bob}/mentions?${FIELDS}`, bob],
    [`/2/users/${USERS.carol}/tweets?${FIELDS}`, carol],
    [`/2/tweets/${first}/liking_users`, bob],
    [`/2/users/${USERS.alice}?expansions=pinned_tweet_id`, alice],
  ] as const;
  const { world, copy } = await startCopy(app, asked);
  await using _copy = copy;
  expect(world.posts).toContainEqual(
    expect.objectContaining({
      id: first,
      text: 'A heron for @bob',
      edits: [
        expect.objectContaining({ id: second, text: 'Two herons for @carol' }),
        expect.objectContaining({ id: third }),
      ],
    }),
  );
});

test('long posts stay long when the subscription has ended', async () => {
  const long = 'A heron stands. '.repeat(30);
  const users = [{ id: '1', username: 'erin', name: 'Erin' }];
  const posts = [{ id: '5', author: 'erin', text: long, long: true }];
  await using app = await startWith({ users, posts });
  const { world, copy } = await startCopy(app, []);
  await using _copy = copy;
  expect(world.posts).toMatchObject([{ text: long.trim(), long: true }]);
});

test('replies and quotes keep their deleted posts, and texts the names that users had', async () => {
  await using app = await startTestApp();
  const names = ['alice', 'bob', 'carol', 'mallory'] as const;
  const tokens = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await app.as(name)] as const)),
  ) as Record<(typeof names)[number], string>;
  const post = async (by: (typeof names)[number], body: object): Promise<string> => {
    const { status, body: answer } = await app.post('/2/tweets', tokens[by], body);
    expect([status, answer.errors]).toEqual([201, undefined]);
    return answer.data.id as string;
  };
  const root = await post('carol', { text: 'To be deleted', reply_settings: 'mentionedUsers' });
  const own = await post('carol', { text: 'Also deleted', reply: { in_reply_to_tweet_id: root } });
  const reply = await post('carol', { text: 'Stays', reply: { in_reply_to_tweet_id: own } });
  const quote = await post('bob', { text: 'Look', quote_tweet_id: own });
  // An edit has the link of what it quotes, unless that was deleted before.
  const before = await post('bob', { text: 'Look again', edit_options: { previous_post_id: quote } });
  for (const id of [root, own]) expect((await app.delete(`/2/tweets/${id}`, tokens.carol)).status).toBe(200);
  const after = await post('bob', { text: 'Gone', edit_options: { previous_post_id: before } });
  const unknown = await post('bob', { text: 'Who is @latecomer? And @mallory, @carol' });
  const quoted = await post('mallory', { text: 'By mallory' });
  const left = await post('bob', { text: 'Quoting mallory', quote_tweet_id: quoted });
  const renamed = await post('bob', { text: 'Quoting carol', quote_tweet_id: reply });
  const { status } = await app.post(`/2/users/${USERS.bob}/retweets`, tokens.bob, { tweet_id: reply });
  expect(status).toBe(200);
  const { engine } = app.pipit.backend;
  const carol = await findUserByUsername(engine, 'carol');
  const mallory = await findUserByUsername(engine, 'mallory');
  if (!carol || !mallory) throw new Error('the world has both');
  await engine.tx('rename', (tx) => renameUser(tx, carol, 'carolina'));
  await deleteAccount(app.pipit.backend, mallory);
  await app.load({ users: [{ id: '1009', username: 'latecomer', name: 'Late' }] });
  const asked = [reply, quote, before, after, unknown, left, renamed].map(
    (id) =>
      [
        `/2/tweets/${id}?tweet.fields=conversation_id,entities,in_reply_to_user_id,referenced_tweets`,
        tokens.bob,
      ] as const,
  );
  const { world, copy } = await startCopy(app, [
    ...asked,
    [`/2/users/${USERS.bob}/tweets?tweet.fields=entities,referenced_tweets`, tokens.bob],
    ['/2/users/1009/mentions', tokens.bob],
    [`/2/users/${USERS.carol}/mentions`, tokens.bob],
  ]);
  await using _copy = copy;
  expect(world.deleted_users).toMatchObject([{ id: USERS.mallory }]);
  expect(world.deleted_posts).toMatchObject([
    { id: root, author: 'carolina' },
    { id: own, author: 'carolina', conversation: root, reply_limited_by: [root] },
    { id: quoted, author: `id:${USERS.mallory}` },
  ]);
});
