import { expect, test } from 'vitest';
import type { FeedEvent } from '../../src/core/feed-event.js';
import type { UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { scrubPlaces } from '../../src/services/accounts/scrub-places.js';
import { changePrivacy, changeProfile } from '../../src/services/accounts/settings.js';
import {
  closeAccount,
  deactivateAccount,
  reactivateAccount,
  suspendAccount,
} from '../../src/services/accounts/standing.js';
import { acceptRequest } from '../../src/services/relations/follow-requests.js';
import { findUser, setPasswordHash } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { importMany } from './support/many-posts.js';
import { BOULDER, POSTS, USERS, type Username } from '../support/world.js';

/** What each action puts into the feed (docs/design/feed.md#events). */

const id = (name: Username): UserId => BigInt(USERS[name]) as UserId;

const PRIVACY = { protected: false, allowsPhotoTagging: true, receivesDms: 'everyone' } as const;

/**
 * Starts a server, and returns it with a function that lists the events since its last call; those about what is unread
 * only if they are asked for.
 */
async function follow({ unread = false } = {}) {
  const app = await startTestApp();
  const { feed } = app.pipit.backend.engine;
  let position = await feed.position();
  const news = async (): Promise<FeedEvent[]> => {
    const page = await feed.read(position);
    position = page.position;
    const all = page.entries.flatMap(({ events }) => events);
    return all.filter(({ kind }) => unread === (kind === 'unread-changed'));
  };
  return { app, news, [Symbol.asyncDispose]: app.close };
}

async function posted(app: TestApp, name: Username, body: object): Promise<bigint> {
  const answer = await app.post('/2/tweets', await app.as(name), body);
  expect(answer.status).toBe(201);
  return BigInt(answer.body.data.id as string);
}

test('posts, reposts and their deletion', async () => {
  await using server = await follow();
  const { app, news } = server;
  const alice = id('alice');
  const postId = await posted(app, 'alice', { text: 'one' });
  expect(await news()).toEqual([{ kind: 'post-made', postId, authorId: alice }]);
  const quoteId = await posted(app, 'alice', { text: 'two', quote_tweet_id: POSTS.hello });
  const quotedPostId = BigInt(POSTS.hello);
  expect(await news()).toEqual([{ kind: 'post-made', postId: quoteId, authorId: alice, quotedPostId }]);
  const bob = await app.as('bob');
  await app.post(`/2/users/${USERS.bob}/retweets`, bob, { tweet_id: String(postId) });
  const [repost, ...none] = await news();
  expect(repost).toMatchObject({ kind: 'post-made', authorId: id('bob'), repostedPostId: postId });
  expect(none).toEqual([]);
  await app.delete(`/2/tweets/${postId}`, await app.as('alice'));
  expect(await news()).toEqual([
    { kind: 'post-deleted', postId, authorId: alice },
    { ...repost, kind: 'post-deleted' },
  ]);
  expect((await app.delete(`/2/tweets/${postId}`, await app.as('alice'))).status).not.toBe(500);
  expect(await news()).toEqual([]);
});

test('what is unread: notifications, and that they or messages were read', async () => {
  await using server = await follow({ unread: true });
  const { app, news } = server;
  const [alice, bob] = [await app.as('alice'), await app.as('bob')];
  const changedFor = (...names: Username[]) =>
    names.map((name) => ({ kind: 'unread-changed', userId: id(name) }));
  await posted(app, 'bob', { text: '@carol and @bob', reply: { in_reply_to_tweet_id: POSTS.hello } });
  expect(await news()).toEqual(changedFor('alice', 'carol'));
  await app.post(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: POSTS.hello });
  await app.post(`/2/users/${USERS.bob}/following`, bob, { target_user_id: USERS.carol });
  await app.post(`/2/users/${USERS.alice}/following`, alice, { target_user_id: USERS.dave });
  await app.post(`/2/users/${USERS.alice}/following`, alice, { target_user_id: USERS.bob });
  expect(await news()).toEqual(changedFor('alice', 'carol', 'dave', 'bob'));
  for (const expected of [changedFor('alice'), []]) {
    await app.post('/_pipit/notifications/read', alice, { up_to_id: String(2n ** 62n) });
    expect(await news()).toEqual(expected);
  }
  const message = { text: 'Psst' };
  const { body } = await app.post(`/2/dm_conversations/with/${USERS.alice}/messages`, bob, message);
  expect(await news()).toEqual([]);
  for (const expected of [changedFor('alice'), []]) {
    const read = { up_to_event_id: body.data.dm_event_id };
    await app.post(`/_pipit/conversations/${body.data.dm_conversation_id}/read`, alice, read);
    expect(await news()).toEqual(expected);
  }
});

test('edits, and the deletion of all versions', async () => {
  await using server = await follow();
  const { app, news } = server;
  const authorId = id('alice');
  const first = await posted(app, 'alice', { text: 'one' });
  const edit = { text: 'two', edit_options: { previous_post_id: String(first) } };
  const second = await posted(app, 'alice', edit);
  expect(await news()).toEqual([
    { kind: 'post-made', postId: first, authorId },
    { kind: 'post-edited', postId: second, authorId },
  ]);
  await app.delete(`/2/tweets/${first}`, await app.as('alice'));
  expect(await news()).toEqual([
    { kind: 'post-deleted', postId: second, authorId },
    { kind: 'post-deleted', postId: first, authorId },
  ]);
});

test('likes, follows, follow requests, blocks and mutes, made and undone once', async () => {
  await using server = await follow();
  const { app, news } = server;
  const [bob, carol] = [await app.as('bob'), await app.as('carol')];
  const [userId, targetId] = [id('bob'), id('carol')];
  const own = (path: string): string => `/2/users/${USERS.bob}/${path}`;
  for (const repeated of [1, 2]) {
    await app.post(own('likes'), bob, { tweet_id: POSTS.hello });
    await app.post(own('following'), bob, { target_user_id: USERS.carol });
    await app.post(own('muting'), bob, { target_user_id: USERS.carol });
    if (repeated === 2) expect(await news()).toEqual([]);
    else
      expect(await news()).toEqual([
        { kind: 'like-made', userId, postId: BigInt(POSTS.hello), edgeId: expect.any(BigInt) as bigint },
        { kind: 'follow-made', userId, targetId },
        { kind: 'mute-made', userId, targetId },
      ]);
  }
  await app.post(`/2/users/${USERS.carol}/blocking`, carol, { target_user_id: USERS.bob });
  expect(await news()).toEqual([
    { kind: 'block-made', userId: targetId, targetId: userId },
    { kind: 'follow-undone', userId, targetId },
  ]);
  await app.delete(`/2/users/${USERS.carol}/blocking/${USERS.bob}`, carol);
  await app.delete(own(`muting/${USERS.carol}`), bob);
  await app.delete(own(`likes/${POSTS.hello}`), bob);
  await app.delete(own(`following/${USERS.alice}`), bob);
  expect(await news()).toEqual([
    { kind: 'block-undone', userId: targetId, targetId: userId },
    { kind: 'mute-undone', userId, targetId },
    { kind: 'like-undone', userId, postId: BigInt(POSTS.hello) },
    { kind: 'follow-undone', userId, targetId: id('alice') },
  ]);
  await acceptRequest(app.pipit.backend, targetId, id('dave'));
  expect(await news()).toEqual([
    { kind: 'follow-request-ended', userId: targetId, targetId: id('dave') },
    { kind: 'follow-made', userId: targetId, targetId: id('dave') },
  ]);
  await app.post(`/2/users/${USERS.alice}/following`, await app.as('alice'), { target_user_id: USERS.dave });
  expect(await news()).toEqual([{ kind: 'follow-requested', userId: id('alice'), targetId: id('dave') }]);
});

test('messages and groups', async () => {
  await using server = await follow();
  const { app, news } = server;
  const alice = await app.as('alice');
  for (const name of ['bob', 'carol'] as const)
    await changePrivacy(app.pipit.backend, { id: id(name) }, PRIVACY);
  expect(await news()).toEqual([]);
  const { body } = await app.post('/2/dm_conversations', alice, {
    conversation_type: 'Group',
    participant_ids: [USERS.bob, USERS.carol],
    message: { text: 'Hello' },
  });
  const group = { conversation: body.data.dm_conversation_id as string, senderId: id('alice') };
  const joined = { kind: 'conversation-joined', ...group, eventId: expect.any(BigInt) as bigint };
  expect(await news()).toEqual([
    joined,
    joined,
    { kind: 'message-sent', ...group, eventId: BigInt(body.data.dm_event_id as string) },
  ]);
});

test('profiles, with what they were before', async () => {
  await using server = await follow();
  const { app, news } = server;
  const change = (profile: object) =>
    changeProfile(
      app.pipit.backend,
      { id: id('alice') },
      { name: 'Alice', description: '', location: '', url: '', ...profile },
    );
  await change({});
  expect(await news()).toEqual([]);
  await change({ name: 'Al', location: 'Pond' });
  expect(await news()).toEqual([
    {
      kind: 'profile-changed',
      userId: id('alice'),
      before: { name: 'Alice' },
      after: { name: 'Al', location: 'Pond' },
    },
  ]);
});

test('what becomes of accounts', async () => {
  await using server = await follow();
  const { app, news } = server;
  const { backend } = app.pipit;
  const [userId, bob] = [id('alice'), id('bob')];
  const standing = (name: string, before: string) => ({
    ...{ kind: 'account-standing', userId: bob },
    ...{ standing: name, before },
  });
  await changePrivacy(backend, { id: userId }, { ...PRIVACY, protected: true });
  await changePrivacy(backend, { id: userId }, { ...PRIVACY, protected: true });
  await changePrivacy(backend, { id: userId }, PRIVACY);
  expect(await news()).toEqual([
    { kind: 'account-protected', userId },
    { kind: 'account-unprotected', userId },
  ]);
  await suspendAccount(backend, bob, true);
  await suspendAccount(backend, bob, true);
  await suspendAccount(backend, bob, false);
  expect(await news()).toEqual([standing('suspended', 'active'), standing('active', 'suspended')]);
  await deactivateAccount(backend, bob);
  await suspendAccount(backend, bob, true);
  await suspendAccount(backend, bob, false);
  await backend.engine.tx('password', (tx) => setPasswordHash(tx, bob, 'hash'));
  await reactivateAccount(backend, { userId: bob, passwordHash: 'hash' });
  expect(await news()).toEqual([
    standing('deactivated', 'active'),
    standing('suspended', 'deactivated'),
    standing('deactivated', 'suspended'),
    standing('active', 'deactivated'),
  ]);
  await closeAccount(backend, { id: bob });
  expect(await news()).toEqual([standing('deleting', 'active')]);
  const user = await findUser(backend.engine, bob);
  if (user) await deleteAccount(backend, user);
  const deleted = await news();
  expect(deleted.filter(({ kind }) => kind === 'account-standing')).toEqual([]);
  expect(deleted.filter(({ kind }) => kind === 'post-deleted')).toHaveLength(2);
});

test('places that are removed from posts', async () => {
  await using server = await follow();
  const { app, news } = server;
  const post = { id: '1500000000000000300', author: 'alice', text: 'Here', place: BOULDER.id };
  await app.load({ places: [BOULDER], posts: [post] });
  await scrubPlaces(app.pipit.backend, id('alice'));
  expect(await news()).toEqual([{ kind: 'post-scrubbed', postId: BigInt(post.id), authorId: id('alice') }]);
});

test('imports and world files are no news', async () => {
  await using server = await follow();
  const { app, news } = server;
  await app.load({
    posts: [{ id: '1500000000000000100', author: 'alice', text: 'From a file' }],
    follows: [{ from: 'alice', to: 'carol' }],
    blocks: [{ from: 'bob', to: 'alice' }],
  });
  await importMany(app, [{ id: '1500000000000000200', authorId: USERS.alice }]);
  expect(await news()).toEqual([]);
  expect((await app.get('/2/tweets/1500000000000000100', app.bearer)).status).toBe(200);
});
