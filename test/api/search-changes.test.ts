import { describe, expect, it, onTestFinished } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { suspendAccount } from '../../src/services/suspend-account.js';
import { protectAccount, unprotectAccount } from '../../src/services/relations/follow-requests.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');

/** The standard world, in which time passes with every look. */
interface Moving extends TestApp {
  search(query: string, token?: string): Promise<string[]>;
  write(name: string, body: object): Promise<string>;
  protect(userId: string): Promise<void>;
  open(userId: string): Promise<void>;
  suspend(userId: string, suspended: boolean): Promise<void>;
}

async function start(): Promise<Moving> {
  let nowMs = NOW_MS;
  const app = await startTestApp({ clock: () => nowMs });
  onTestFinished(app.close);
  const { backend, jobs } = app.pipit;
  const changed = async (change: Promise<void>): Promise<void> => {
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
    write: async (name, body) => {
      nowMs += 1_000;
      return (await app.post('/2/tweets', await app.as(name), body)).body.data.id as string;
    },
    protect: (userId) => changed(protectAccount(backend, BigInt(userId) as UserId)),
    open: (userId) => changed(unprotectAccount(backend, BigInt(userId) as UserId)),
    suspend: (userId, suspended) => changed(suspendAccount(backend, BigInt(userId) as UserId, suspended)),
  };
}

describe('what search finds follows what happens', () => {
  it('deleted posts are gone, with their reposts', async () => {
    const app = await start();
    const id = await app.write('alice', { text: 'a heron' });
    await app.post(`/2/users/${USERS.bob}/retweets`, await app.as('bob'), { tweet_id: id });
    expect(await app.search('heron')).toEqual(['RT @alice: a heron', 'a heron']);
    await app.delete(`/2/tweets/${id}`, await app.as('alice'));
    expect(await app.search('heron')).toEqual([]);
  });

  it('a protected account is not found, not even by followers; opened again, its older posts are, with reposts', async () => {
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
    // Posts made while protected stay out of search (behaviours.md 5).
    expect(await app.search('heron')).toEqual([
      'an open heron',
      'RT @alice: a public heron',
      'a public heron',
    ]);
  });

  it('posts of accounts that were protected from the start stay out when these are opened', async () => {
    const app = await start();
    await app.write('dave', { text: 'a secret heron' });
    expect(await app.search('heron')).toEqual([]);
    await app.open(USERS.dave);
    await app.write('dave', { text: 'an open heron' });
    expect(await app.search('heron')).toEqual(['an open heron']);
  });

  it('suspended authors are not found until they are restored', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron')).toEqual(['a heron']);
    await app.suspend(USERS.alice, true);
    expect(await app.search('heron')).toEqual([]);
    await app.suspend(USERS.alice, false);
    expect(await app.search('heron')).toEqual(['a heron']);
  });

  it('a protected account leaves results before the index has heard of it', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron')).toEqual(['a heron']);
    await protectAccount(app.pipit.backend, BigInt(USERS.alice) as UserId);
    expect(await app.search('heron')).toEqual([]);
  });

  it('who is blocked does not find the posts of who blocks', async () => {
    const app = await start();
    await app.write('alice', { text: 'a heron' });
    expect(await app.search('heron', await app.as('mallory'))).toEqual([]);
    expect(await app.search('heron', await app.as('bob'))).toEqual(['a heron']);
  });

  it('private Lists find posts for their owners alone (fine-points.md 18)', async () => {
    const app = await start();
    const bob = await app.as('bob');
    await app.write('alice', { text: 'a heron' });
    const list = (await app.post('/2/lists', bob, { name: 'birds', private: true })).body.data.id as string;
    await app.post(`/2/lists/${list}/members`, bob, { user_id: USERS.alice });
    expect(await app.search(`list:${list} heron`, bob)).toEqual(['a heron']);
    expect(await app.search(`list:${list} heron`)).toEqual([]);
    expect(await app.search(`list:${list} heron`, await app.as('carol'))).toEqual([]);
  });
});
