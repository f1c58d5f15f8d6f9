import { describe, expect, it, onTestFinished } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { closeAccount, suspendAccount } from '../../src/services/accounts/standing.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { protectAccount, unprotectAccount } from '../../src/services/relations/follow-requests.js';
import type { Engine } from '../../src/database/engine.js';
import { findUser, findUserByUsername } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');

/** The standard world with a clock that advances before every search. */
interface SearchServer extends TestApp {
  search(query: string, token?: string): Promise<string[]>;
  count(query: string): Promise<number>;
  write(name: string, body: object): Promise<string>;
  protect(userId: string): Promise<void>;
  open(userId: string): Promise<void>;
  suspend(userId: string, suspended: boolean): Promise<void>;
}

async function start(): Promise<SearchServer> {
  let nowMs = NOW_MS;
  const app = await startTestApp({ clock: () => nowMs });
  onTestFinished(app.close);
  const { backend, jobs } = app.pipit;
  const changed = async (change: Promise<unknown>): Promise<void> => {
    await change;
    await jobs.worker.runDue();
  };
  return {
    ...app,
    search: async (query, token = app.bearer) => {
      nowMs += 60_000;
      const answer = await app.get(`/2/tweets/search/recent?query=${encodeURIComponent(query)}`, token);
      expect(answer.status).toBe(200);
      return (answer.body.data ?? []).map(({ text }: { text: string }) => text);
    },
    count: async (query) => {
      nowMs += 60_000;
      const answer = await app.get(`/2/tweets/counts/recent?query=${encodeURIComponent(query)}`, app.bearer);
      expect(answer.status).toBe(200);
      return answer.body.meta.total_tweet_count as number;
    },
    write: async (name, body) => {
      nowMs += 1_000;
      return (await app.post('/2/tweets', await app.as(name), body)).body.data.id as string;
    },
    protect: (userId) => changed(protectAccount(backend, BigInt(userId) as UserId)),
    open: (userId) => changed(unprotectAccount(backend, BigInt(userId) as UserId)),
    suspend: (userId, suspended) => changed(suspendAccount(backend, BigInt(userId) as UserId, suspended)),
  };
}

describe('search results after a change', () => {
  it('omit deleted posts and their reposts', async () => {
    const app = await start();
    const id = await app.write('alice', { text: 'a heron' });
    await app.post(`/2/users/${USERS.bob}/retweets`, await app.as('bob'), { tweet_id: id });
    expect(await app.search('heron')).toEqual(['RT @alice: a heron', 'a heron']);
    await app.delete(`/2/tweets/${id}`, await app.as('alice'));
    expect(await app.search('heron')).toEqual([]);
  });

  it('omit a protected account, also for followers; unprotected, its older posts and their reposts return', async () => {
    const app = await start();
    const id = await app.write('alice', { text: 'a public heron' });
    await app.post(`/2/users/${USERS.bob}/retweets`, await app.as('bob'), { tweet_id: id });
    expect(await app.search('heron')).toHaveLength(2);
    await app.protect(USERS.alice);
    await app.write('alice', { text: 'a secret heron' });
    expect(await app.search('heron')).toEqual([]);
    expect(await app.search('heron', await app.as('bob'))).toEqual([]);
    await app.open(USERS.alice);
    await app.write('alice', { text: 'an open heron' });
    // Posts created while protected stay out of search (docs/api/people.md#follows-blocks-and-mutes).
    expect(await app.search('heron')).toEqual([
      'an open heron',
      'RT @alice: a public heron',
      'a public heron',
    ]);
  });

  it('omit the newest version of an edited post while its author is protected', async () => {
    const app = await start();
    const id = await app.write('alice', { text: 'a heron' });
    await app.write('alice', { text: 'a heron, corrected', edit_options: { previous_post_id: id } });
    expect(await app.search('heron')).toEqual(['a heron, corrected']);
    await app.protect(USERS.alice);
    expect(await app.search('heron')).toEqual([]);
    await app.open(USERS.alice);
    expect(await app.search('heron')).toEqual(['a heron, corrected']);
  });

  it('omit earlier posts of accounts that were created protected and then unprotected', async () => {
    const app = await start();
    await app.write('dave', { text: 'a secret heron' });
    expect(await app.search('heron')).toEqual([]);
    await app.open(USERS.dave);
    await app.write('dave', { text: 'an open heron' });
    expect(await app.search('heron')).toEqual(['an open heron']);
  });

  it('omit suspended authors until they are restored', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron')).toEqual(['a heron']);
    await app.suspend(USERS.alice, true);
    expect(await app.search('heron')).toEqual([]);
    await app.suspend(USERS.alice, false);
    expect(await app.search('heron')).toEqual(['a heron']);
  });

  it('and counts omit an account as soon as its deletion starts', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.count('heron')).toBe(1);
    const { backend } = app.pipit;
    const { engine } = backend;
    const tx: Engine['tx'] = (name, body, isolation) =>
      name === 'delete account' ? Promise.reject(new Error('broken off')) : engine.tx(name, body, isolation);
    const alice = await findUser(engine, BigInt(USERS.alice) as UserId);
    if (!alice) throw new Error('nobody');
    await expect(deleteAccount({ ...backend, engine: { ...engine, tx } }, alice)).rejects.toThrow('broken');
    expect(await app.search('heron')).toEqual([]);
    expect(await app.count('heron')).toBe(0);
    await deleteAccount(backend, alice);
    expect(await app.count('heron')).toBe(0);
  });

  it('omit a protected account before the index is updated', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron')).toEqual(['a heron']);
    await protectAccount(app.pipit.backend, BigInt(USERS.alice) as UserId);
    expect(await app.search('heron')).toEqual([]);
    // Not even for followers.
    expect(await app.search('heron', await app.as('bob'))).toEqual([]);
    expect(await app.search('heron', await app.as('alice'))).toEqual([]);
    expect(await app.count('heron')).toBe(0);
  });

  it('omit posts of authors who block the user', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron', await app.as('mallory'))).toEqual([]);
    expect(await app.search('heron', await app.as('bob'))).toEqual(['a heron']);
  });

  it('find posts through private Lists for their owners only', async () => {
    const app = await start();
    const bob = await app.as('bob');
    await app.write('alice', { text: 'a heron' });
    const list = (await app.post('/2/lists', bob, { name: 'birds', private: true })).body.data.id as string;
    await app.post(`/2/lists/${list}/members`, bob, { user_id: USERS.alice });
    expect(await app.search(`list:${list} heron`, bob)).toEqual(['a heron']);
    expect(await app.search(`list:${list} heron`)).toEqual([]);
    expect(await app.search(`list:${list} heron`, await app.as('carol'))).toEqual([]);
  });

  it('omit deleted accounts at once and after their removal', async () => {
    const app = await start();
    const id = await app.write('carol', { text: 'a heron' });
    await app.post(`/2/users/${USERS.bob}/retweets`, await app.as('bob'), { tweet_id: id });
    expect(await app.search('heron')).toHaveLength(2);
    const carol = await findUserByUsername(app.pipit.backend.engine, 'carol');
    if (carol) await closeAccount(app.pipit.backend, carol);
    expect(await app.search('heron')).toEqual([]);
    expect(await app.count('heron')).toBe(0);
    await app.pipit.jobs.worker.runDue();
    expect(await app.search('heron')).toEqual([]);
    expect(await app.count('heron')).toBe(0);
  });

  it('for a user token omit authors that the user mutes or blocks, and reposts of them; for an app token they do not', async () => {
    const app = await start();
    const id = await app.write('bob', { text: 'a heron' });
    await app.write('mallory', { text: 'a bad heron' });
    await app.post(`/2/users/${USERS.dave}/retweets`, await app.as('dave'), { tweet_id: id });
    await app.post(`/2/users/${USERS.alice}/retweets`, await app.as('alice'), { tweet_id: id });
    expect(await app.search('heron')).toEqual(['RT @bob: a heron', 'a bad heron', 'a heron']);
    // In the standard world carol mutes bob, and alice blocks mallory.
    expect(await app.search('heron', await app.as('carol'))).toEqual(['a bad heron']);
    expect(await app.search('heron', await app.as('alice'))).toEqual(['RT @bob: a heron', 'a heron']);
    await app.delete(`/2/users/${USERS.carol}/muting/${USERS.bob}`, await app.as('carol'));
    expect(await app.search('heron', await app.as('carol'))).toHaveLength(3);
  });

  it('omit an undone repost and keep its original', async () => {
    const app = await start();
    const bob = await app.as('bob');
    const id = await app.write('alice', { text: 'a heron' });
    await app.post(`/2/users/${USERS.bob}/retweets`, bob, { tweet_id: id });
    expect(await app.search('heron is:retweet')).toEqual(['RT @alice: a heron']);
    await app.delete(`/2/users/${USERS.bob}/retweets/${id}`, bob);
    expect(await app.search('heron')).toEqual(['a heron']);
  });

  it('find nothing through Lists of suspended or deactivated owners', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    const list = (await app.post('/2/lists', await app.as('bob'), { name: 'birds' })).body.data.id as string;
    await app.post(`/2/lists/${list}/members`, await app.as('bob'), { user_id: USERS.alice });
    expect(await app.search(`list:${list}`)).toEqual(['a heron']);
    await app.suspend(USERS.bob, true);
    expect(await app.search(`list:${list}`)).toEqual([]);
  });

  it('include hidden replies, by conversation and by words (docs/api/posts.md#reply-settings)', async () => {
    const app = await start();
    const alice = await app.as('alice');
    const id = await app.write('alice', { text: 'a heron' });
    const reply = await app.write('bob', { text: 'a rude heron', reply: { in_reply_to_tweet_id: id } });
    const hidden = await app.put(`/2/tweets/${reply}/hidden`, alice, { hidden: true });
    expect(hidden.body).toEqual({ data: { hidden: true } });
    expect(await app.search(`conversation_id:${id} rude heron`)).toEqual(['@alice a rude heron']);
    expect(await app.count('heron is:reply')).toBe(1);
  });

  it('of min_* operators use current counts', async () => {
    const app = await start();
    const bob = await app.as('bob');
    const id = await app.write('alice', { text: 'a heron' });
    const found = async () => [
      (await app.search('heron min_likes:1')).length,
      (await app.search('heron min_replies:1')).length,
      (await app.search('heron min_reposts:1 -is:retweet')).length,
    ];
    expect(await found()).toEqual([0, 0, 0]);
    await app.post(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: id });
    await app.post(`/2/users/${USERS.bob}/retweets`, bob, { tweet_id: id });
    await app.write('bob', { text: 'indeed', reply: { in_reply_to_tweet_id: id } });
    expect(await found()).toEqual([1, 1, 1]);
    await app.delete(`/2/users/${USERS.bob}/likes/${id}`, bob);
    expect(await found()).toEqual([0, 1, 1]);
  });
});
