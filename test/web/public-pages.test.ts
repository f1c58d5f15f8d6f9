import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS_LIMITS, ATTEMPT_WINDOW_SECONDS } from '../../src/limits/attempts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { expectValidPage, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const ROOT = 1_700_000_000_000_000_000n;
const idOf = (index: number) => String(ROOT + BigInt(index));

/** Returns a post with `count` direct replies and a chain of `depth` posts, each a reply to the previous one. */
function longConversation(count: number, depth: number) {
  const chain = Array.from({ length: depth }, (_, index) => ({
    id: idOf(count + 1 + index),
    author: 'bob',
    text: `Deep ${index}.`,
    in_reply_to: index === 0 ? idOf(0) : idOf(count + index),
  }));
  return [
    { id: idOf(0), author: 'alice', text: 'The root' },
    ...Array.from({ length: count }, (_, index) => ({
      id: idOf(index + 1),
      author: index % 2 === 0 ? 'bob' : 'carol',
      text: `Reply ${index}.`,
      in_reply_to: idOf(0),
    })),
    ...chain,
  ];
}

describe('a long conversation', () => {
  const REPLIES = 50;
  const DEPTH = 300;
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    app = await startTestApp();
    await app.load({ posts: longConversation(REPLIES, DEPTH) });
    browser = openBrowser(app);
  });
  afterAll(() => app.close());

  test('shows all replies in pages, oldest first', async () => {
    const seen: number[] = [];
    let path: string | undefined = `/alice/status/${idOf(0)}`;
    for (let pages = 0; path !== undefined && pages < 9; pages += 1) {
      const page = await browser.get(path);
      expectValidPage(page, path, 'public, no-cache');
      seen.push(...[...textOf(page).matchAll(/Reply (\d+)\./g)].map(([, number]) => Number(number)));
      path = /href="([^"]+)" rel="next"/.exec(page.text)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: REPLIES }, (_, index) => index));
  });

  test('is shown in bounded parts with links to the rest', async () => {
    const first = await browser.get(`/bob/status/${idOf(REPLIES + 1)}`);
    const below = [...textOf(first).matchAll(/Deep (\d+)\./g)].length;
    expect(below).toBeGreaterThan(50);
    expect(below).toBeLessThan(150);
    expect(first.text).toContain('More replies to this');
    const last = await browser.get(`/bob/status/${idOf(REPLIES + DEPTH)}`);
    expect(textOf(last)).toContain(`Deep ${DEPTH - 1}.`);
    expect([...textOf(last).matchAll(/Deep (\d+)\./g)]).toHaveLength(31);
    const [, up = ''] = /href="(\/i\/status\/\d+)">Earlier posts/.exec(last.text) ?? [];
    expect(textOf(await browser.follow(await browser.get(up)))).toContain(`Deep ${DEPTH - 31}.`);
  });

  test('keeps the replies of a deleted reply as separate conversations', async () => {
    const token = await app.as('bob');
    const middle = (await app.post('/2/tweets', token, reply('Middle', POSTS.hello))).body.data.id as string;
    const end = (await app.post('/2/tweets', token, reply('End', middle))).body.data.id as string;
    const root = `/alice/status/${POSTS.hello}`;
    expect(textOf(await browser.get(root))).toMatch(/Middle.*End/);
    await app.delete(`/2/tweets/${middle}`, token);
    expect(textOf(await browser.get(root))).not.toMatch(/Middle|End/);
    const page = textOf(await browser.get(`/bob/status/${end}`));
    expect(page).toMatch(/This post is not available.*End/);
  });
});

function reply(text: string, to: string) {
  return { text, reply: { in_reply_to_tweet_id: to } };
}

test('pages are rate limited by address for strangers, and more generously for signed-in users', async () => {
  let nowMs = Date.UTC(2022, 9, 7);
  await using app = await startTestApp({
    world: webWorld(),
    clock: () => nowMs,
    flags: { rateLimits: '0.02' },
  });
  const stranger = openBrowser(app);
  const limit = ADDRESS_LIMITS.pages * 0.02;
  for (let look = 0; look < limit; look += 1) expect((await stranger.get('/alice')).status).toBe(200);
  for (const path of ['/alice', `/alice/status/${POSTS.hello}`, '/nobody', `/i/status/${POSTS.secret}`]) {
    const answer = await stranger.get(path, { accept: 'text/html' });
    expect([path, answer.status]).toEqual([path, 429]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  await stranger.signIn('bob', PASSWORDS.bob);
  expect((await stranger.get('/alice')).status).toBe(200);
  nowMs += ATTEMPT_WINDOW_SECONDS * 1000 + 1;
  expect((await openBrowser(app).get('/alice')).status).toBe(200);
});

test('pages can be limited to signed-in users', async () => {
  await using app = await startTestApp({ world: webWorld(), flags: { publicPages: 'off' } });
  const browser = openBrowser(app);
  for (const path of ['/alice', '/nobody', `/alice/status/${POSTS.hello}`, `/i/status/${POSTS.secret}`]) {
    const answer = await browser.get(path);
    expect([answer.status, answer.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
  }
  await browser.signIn('bob', PASSWORDS.bob);
  expect(textOf(await browser.get(`/alice/status/${POSTS.hello}`))).toContain('Hello from the pond');
});

test('usernames that are paths of the server are reserved', async () => {
  await using app = await startTestApp({ world: webWorld(), flags: { signUp: 'open' } });
  const browser = openBrowser(app);
  for (const username of ['docs', 'MEDIA', 'i', 'Profile_Images', '2']) {
    const page = await browser.get('/sign-up');
    const answer = await browser.submit(page, { username, name: 'X', password: 'correct horse battery' });
    expect([username, answer.status]).toEqual([username, 400]);
    expect(textOf(answer)).toContain('reserved');
  }
});
