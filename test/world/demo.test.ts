import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { worldDeps } from '../../src/server/backend.js';
import { loadWorldFile } from '../../src/world/world-file.js';
import { startTestApp, type TestApp } from '../support/app.js';

const NOW = Date.parse('2031-05-06T07:08:09Z');
const MINUTE_MS = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ world: null, clock: () => NOW });
  await loadWorldFile(worldDeps(app.pipit.backend, app.pipit.writer, app.pipit.media.blobs), 'demo');
});
afterAll(() => app.close());

/** Returns the body of a request with a token of `maya`. */
async function read(path: string, token = 'demo-maya-token') {
  const { status, body } = await app.get(path, token);
  expect(status, path).toBe(200);
  return body;
}

const HOME = '/2/users/11/timelines/reverse_chronological?max_results=100&tweet.fields=created_at,lang';

test('the demo world has recent posts, newest first, in several languages', async () => {
  const { data } = await read(HOME);
  const times = data.map((post: { created_at: string }) => Date.parse(post.created_at));
  expect(times).toEqual([...times].sort((one, other) => other - one));
  expect(NOW - times[0]).toBe(2 * MINUTE_MS);
  const languages = new Set(data.map((post: { lang: string }) => post.lang));
  for (const language of ['en', 'es', 'ja', 'fr', 'hi', 'ar', 'pl', 'pt', 'de', 'uk', 'ko']) {
    expect(languages).toContain(language);
  }
});

test('recent search finds a hashtag of the demo world from this week', async () => {
  const { meta } = await read('/2/tweets/search/recent?query=%23Lighthouse150', 'demo-bearer-token');
  expect(meta.result_count).toBe(3);
});

test('the research app of the demo world searches the full archive', async () => {
  const path = '/2/tweets/search/all?query=%23Perseides';
  expect((await read(path, 'demo-research-bearer-token')).meta.result_count).toBe(2);
});

test('the demo world has an open poll, a live Space, Lists, messages and a protected account', async () => {
  const polls = await read(
    '/2/tweets?ids=1014,1041&expansions=attachments.poll_ids&poll.fields=voting_status',
  );
  expect(polls.includes.polls).toMatchObject([{ voting_status: 'closed' }, { voting_status: 'open' }]);
  const spaces = await read('/2/spaces/search?query=sea');
  expect(spaces.data).toMatchObject([{ state: 'live' }]);
  expect((await read('/2/users/11/owned_lists')).data).toMatchObject([{ name: 'Port Ellary' }]);
  expect((await read('/2/dm_events')).data).toHaveLength(4);
  expect((await read('/2/tweets/1012', 'demo-priya-token')).errors[0].title).toBe('Authorization Error');
});

test('the demo world has photos with alternative texts, which the server serves', async () => {
  const path = '/2/tweets?ids=1009,1021,1032&expansions=attachments.media_keys';
  const { includes } = await read(`${path}&media.fields=alt_text,url,width`);
  expect(includes.media.length).toBe(4);
  for (const photo of includes.media) {
    expect(photo.alt_text).toMatch(/^\w.{10}/);
    const { status, headers } = await app.get(new URL(photo.url).pathname);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/png' });
  }
});

test('each person of the demo world has a picture, some of their own, and some a banner', async () => {
  const fields = 'user.fields=profile_image_url,profile_banner_url';
  const { data } = await read(`/2/users/by?usernames=maya,lucia,dmytro&${fields}`);
  for (const { profile_image_url: picture, profile_banner_url: banner } of data)
    for (const url of [picture, ...(banner === undefined ? [] : [`${banner}/600x200`])])
      expect((await app.get(new URL(url).pathname)).headers['content-type'], url).toMatch(/^image\//);
  expect(data.map((person: object) => 'profile_banner_url' in person)).toEqual([true, false, false]);
  expect(data[0].profile_image_url).toContain('/media/');
  expect(data[2].profile_image_url).toContain('/profile_images/');
});

test('loading the demo world again adds nothing', async () => {
  const added = await loadWorldFile(
    worldDeps(app.pipit.backend, app.pipit.writer, app.pipit.media.blobs),
    'demo',
  );
  expect(Object.values(added).every((count) => count === 0)).toBe(true);
});

test('every credential of docs/demo.md is in the demo world', async () => {
  const root = join(import.meta.dirname, '..', '..');
  const page = await readFile(join(root, 'docs', 'demo.md'), 'utf8');
  const world = await readFile(join(root, 'examples', 'demo.json'), 'utf8');
  const credentials = [...page.matchAll(/`((?:\d+-)?demo-[a-z0-9-]+)`/g)].map(([, text]) => text);
  expect(credentials.length).toBeGreaterThan(12);
  for (const credential of credentials) expect(world).toContain(`"${credential}"`);
});
