import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

let app: TestApp;
let alice: Browser;
let visitor: Browser;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  alice = openBrowser(app);
  visitor = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
});
afterAll(() => app?.close());

const PART = { 'pipit-part': 'completions' };

async function completed(text: string, browser = alice): Promise<string[]> {
  const answer = await browser.get(`/i/completions?text=${encodeURIComponent(text)}`, PART);
  expect(answer.status).toBe(200);
  return [...answer.text.matchAll(/data-text="([^"]*)"/g)].map(([, option = '']) => option);
}

test('the beginning of an operator is completed, with what it finds', async () => {
  expect(await completed('fr')).toEqual(['from:']);
  expect(await completed('-IN_R')).toEqual(['-in_reply_to_tweet_id:']);
  expect(await completed('geo_')).toEqual(['geo_bounding_box:']);
  expect((await alice.get('/i/completions?text=min_l', PART)).text).toContain('at least so many likes');
  expect(await completed('heron')).toEqual([]);
  // The site searches the whole archive, which has no entities.
  expect(await completed('entit')).toEqual([]);
});

test('a value is completed: known ones, languages by code or name, users', async () => {
  expect(await completed('has:im')).toEqual(['has:images']);
  expect(await completed('-is:')).toContain('-is:nullcast');
  expect(await completed('is:')).not.toContain('is:nullcast');
  expect(await completed('lang:ger')).toEqual(['lang:de']);
  expect(await completed('from:bo')).toEqual(['from:bob']);
  expect(await completed('-to:bo')).toEqual(['-to:bob']);
  expect(await completed('from:')).toEqual([]);
  expect(await completed('url:ex')).toEqual([]);
});

test('visitors get operators, but no users; hostile texts get nothing', async () => {
  expect(await completed('ha', visitor)).toEqual(['has:']);
  expect(await completed('from:bo', visitor)).toEqual([]);
  expect(await completed('@bo', visitor)).toEqual([]);
  // It is a part for the script, no page.
  expect((await visitor.get('/i/completions?text=ha')).location).toBe('/explore');
  for (const text of ['"><b>', 'has:"><b>', 'from:a b', `from:${'x'.repeat(5_000)}`, 'from:é', '__proto__:'])
    expect(await completed(text), text).toEqual([]);
});

test('the page of a search lists every operator of its searches', async () => {
  const { text } = await visitor.get('/explore');
  expect(text).toContain('<code>from:maya</code>');
  expect(text).toContain('<code>min_reposts:5</code>');
  expect(text).not.toContain('entity:');
});
