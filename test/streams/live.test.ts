import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { POSTS, USERS, type Username } from '../support/world.js';
import { openBrowser } from '../web/support/browser.js';
import { PASSWORDS, webWorld } from '../web/support/web-world.js';
import { readEvents, type EventReader } from './support/read-events.js';

/** What is new, live (docs/api/pipit.md#live). Two servers on one database: what happens at one is seen at the other. */
describe('live', () => {
  let database: SharedDatabase;
  let here: TestApp;
  let there: TestApp;
  let url: string;
  const tokens = new Map<Username, string>();
  const open: EventReader[] = [];

  beforeAll(async () => {
    database = await createSharedDatabase({ users: 'this process' });
    here = await startTestApp({ database, world: webWorld() });
    there = await startTestApp({ database, world: null });
    url = await here.listen();
    for (const name of ['alice', 'bob', 'carol', 'dave', 'mallory'] as const)
      tokens.set(name, await here.as(name));
  });
  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });
  afterAll(async () => {
    await here.close();
    await there.close();
    await database.remove();
  });

  const follow = async (name: Username, query = ''): Promise<EventReader> => {
    const headers = { authorization: `Bearer ${tokens.get(name) ?? ''}` };
    const reader = await readEvents(`${url}/_pipit/live${query}`, headers);
    open.push(reader);
    expect(reader.response.statusCode).toBe(200);
    return reader;
  };
  let texts = 0;
  const post = async (name: Username, more: object = {}, app = there): Promise<string> => {
    texts += 1;
    const answer = await app.post('/2/tweets', tokens.get(name), { text: `News ${texts}`, ...more });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data.id;
  };
  const countIs = (count: number) => (data: { readonly count: number }) => data.count === count;

  test('counts new posts of followed users, and neither own, muted, nor deleted ones', async () => {
    const since = await post('alice');
    const carol = await follow('carol', `?home_since_id=${since}`);
    expect(carol.response.headers['content-type']).toBe('text/event-stream');
    expect(await carol.until('home')).toEqual({ count: 0 });
    await there.post(`/2/users/${USERS.carol}/following`, tokens.get('carol'), { target_user_id: USERS.bob });
    // Carol mutes bob, and does not follow mallory.
    await post('bob');
    await post('mallory');
    await post('carol');
    const first = await post('alice');
    await carol.until('home', countIs(1));
    await post('alice', {}, here);
    await carol.until('home', countIs(2));
    await there.delete(`/2/tweets/${first}`, tokens.get('alice'));
    await carol.until('home', countIs(1));
    // A reader that connects again gets the same number.
    expect(await (await follow('carol', `?home_since_id=${since}`)).until('home')).toEqual({ count: 1 });
    await there.delete(`/2/users/${USERS.carol}/muting/${USERS.bob}`, tokens.get('carol'));
    await carol.until('home', countIs(2));
  });

  test('counts notifications and messages, and less once they are read', async () => {
    const alice = await follow('alice');
    const before = await alice.until('unread');
    await there.post(`/2/users/${USERS.bob}/likes`, tokens.get('bob'), { tweet_id: await post('alice') });
    await alice.until('unread', (data) => data.unread_count === before.unread_count + 1);
    // People get messages from those whom they follow.
    await there.post(`/2/users/${USERS.alice}/following`, tokens.get('alice'), { target_user_id: USERS.bob });
    const sent = await there.post(`/2/dm_conversations/with/${USERS.alice}/messages`, tokens.get('bob'), {
      text: 'Psst',
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    await alice.until('unread', (data) => data.unread_messages === before.unread_messages + 1);
    const { dm_conversation_id: id, dm_event_id } = sent.body.data;
    await there.post(`/_pipit/conversations/${id}/read`, tokens.get('alice'), {
      up_to_event_id: dm_event_id,
    });
    await alice.until('unread', (data) => data.unread_messages === before.unread_messages);
    await there.post('/_pipit/notifications/read', tokens.get('alice'), { up_to_id: '9000000000000000000' });
    await alice.until('unread', (data) => data.unread_count === 0);
    // A token that may not read messages does not count them.
    const narrow = await here.as('bob', ['tweet.read', 'users.read']);
    const reader = await readEvents(`${url}/_pipit/live`, { authorization: `Bearer ${narrow}` });
    open.push(reader);
    expect(Object.keys(await reader.until('unread'))).toEqual(['unread_count']);
  });

  test('counts new replies in a conversation that the viewer may see', async () => {
    const top = await post('alice');
    const reader = await follow('carol', `?replies_to_id=${top}`);
    expect(await reader.until('replies')).toEqual({ count: 0 });
    const answer = await post('bob', { reply: { in_reply_to_tweet_id: top } });
    await reader.until('replies', countIs(1));
    // Dave is protected and carol does not follow dave.
    await post('dave', { reply: { in_reply_to_tweet_id: top } });
    await post('alice', { reply: { in_reply_to_tweet_id: answer } });
    await reader.until('replies', countIs(2));
    expect(
      await (await follow('carol', `?replies_to_id=${top}&replies_since_id=${answer}`)).until('replies'),
    ).toEqual({ count: 1 });
  });

  test('refuses bad parameters, posts that the user may not see, and apps', async () => {
    const get = async (query: string, token = tokens.get('carol')) =>
      (await here.get(`/_pipit/live${query}`, token)).status;
    expect(await get('?home_since_id=x')).toBe(400);
    expect(await get('?unknown=1')).toBe(400);
    expect(await get(`?replies_to_id=${POSTS.secret}`)).toBe(404);
    expect(await get('?replies_to_id=1')).toBe(404);
    expect(await get('', here.bearer)).toBe(403);
    expect(await get('', 'unknown')).toBe(401);
  });

  test('a user has eight streams: one more ends the oldest, and says so', async () => {
    const readers = [];
    for (let index = 0; index < 8; index += 1) readers.push(await follow('dave'));
    await readers[0]?.until('unread');
    await follow('dave');
    await readers[0]?.until('replaced');
    await readers[0]?.ended();
  });

  test('a browser follows with its session, and no longer than that', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      const browser = openBrowser(here);
      await browser.signIn('bob', PASSWORDS.bob);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reader = await readEvents(`${url}/i/live?home_since_id=1`, { cookie });
      open.push(reader);
      await reader.until('home');
      await vi.advanceTimersByTimeAsync(16_000);
      // At the same server, as a timer looks for what others did.
      await post('alice', {}, here);
      await reader.until('home');
      const home = await browser.get('/home');
      const csrf = /name="csrf" value="([^"]+)"/.exec(home.text)?.[1] ?? '';
      expect((await browser.post('/sign-out', { csrf })).status).toBe(303);
      await vi.advanceTimersByTimeAsync(16_000);
      await reader.ended();
      expect((await browser.get('/i/live')).status).toBe(204);
    } finally {
      vi.useRealTimers();
    }
  });
});
