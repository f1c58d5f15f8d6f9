import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser, type FormPart } from './support/browser.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Groups of messages, and messages with pictures, on pages: alice writes to bob and carol, who accept messages. */

const NEW = '/messages/new';
const PAIR = `/messages/${[USERS.alice, USERS.bob].sort().join('-')}`;

let app: TestApp;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  const world = webWorld();
  const users = (world['users'] ?? []).map((user) => ({ ...(user as object), receives_dms: 'everyone' }));
  app = await startTestApp({ world: { ...world, users } });
  [alice, bob] = [openBrowser(app), openBrowser(app)];
  await alice.signIn('alice', PASSWORDS.alice);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

/** Sends the form of a page with a picture. */
async function sendPicture(path: string, fields: readonly FormPart[], bytes: Buffer) {
  const csrf = csrfOf((await alice.get(path)).text);
  return alice.postFiles(path, [['csrf', csrf], ...fields, ['file', 'a.png', 'image/png', bytes]]);
}

test('a group starts with people, a message and a picture, and shows who is in it', async () => {
  expect((await alice.get('/messages')).text).toContain(`href="${NEW}"`);
  expectValidPage(await alice.get(NEW), NEW);
  const fields: FormPart[] = [
    ['people', '@BOB, carol  bob'],
    ['text', 'Hello <b>all</b>'],
  ];
  const { location = '' } = await sendPicture(NEW, fields, await png());
  expect(location).toMatch(/^\/messages\/\d+$/);
  const page = await bob.get(location);
  expectValidPage(page, location);
  expect(textOf(page)).toMatch(/Alice, Carol.*3 people.*@alice.*@bob.*@carol.*Hello &lt;b&gt;all&lt;\/b&gt;/);
  expect(page.text).toMatch(/<img src="\/media\/[^"]+" alt="Photo without a description"/);
  expect(page.text).not.toContain('/messages/media/');
  expect(textOf(await bob.get('/messages'))).toContain('Hello &lt;b&gt;all');
  expect((await send(bob, location, { text: 'Hello back' })).location).toBe(location);
  expect(textOf(await alice.get(location))).toContain('Hello back');
});

test('a group that is refused keeps its fields', async () => {
  for (const [people, reason] of [
    ['', 'Name at least one other person.'],
    ['@alice', 'must name somebody else'],
    ['bob @nobody "><i>', 'There is nobody named @nobody, @&quot;&gt;&lt;i&gt;.'],
    [Array.from({ length: 50 }, (_, number) => `n${number}`).join(' '), 'at most 50 people'],
  ] as const) {
    const refused = await send(alice, NEW, { people, text: 'Kept' });
    expect(refused.status).toBe(400);
    expectValidPage(refused, people);
    expect(refused.text).toContain(reason);
    expect(refused.text).toContain('\nKept</textarea>');
  }
});

test('a message of a picture alone is sent; a refused one keeps its text and its picture', async () => {
  expect((await sendPicture(PAIR, [['text', '']], await png())).location).toBe(PAIR);
  expect((await bob.get(PAIR)).text).toContain('alt="Photo without a description"');
  expect(textOf(await bob.get('/messages'))).toContain('A picture or a video');
  const bad = await sendPicture(PAIR, [['text', 'Kept']], Buffer.from('no picture'));
  expect(bad.status).toBe(400);
  expect(bad.text).toContain('\nKept</textarea>');
  const long = 'x'.repeat(10_001);
  const refused = await sendPicture(PAIR, [['text', long]], await png());
  expect(refused.status).toBe(400);
  expectValidPage(refused, PAIR);
  expect(refused.text).toContain(`\n${long}</textarea>`);
  const media = /name="media" value="(\d+)"/.exec(refused.text)?.[1] ?? '';
  expect((await send(alice, PAIR, { text: 'Shorter', media })).location).toBe(PAIR);
  expect((await bob.get(PAIR)).text).toMatch(/Shorter<\/div>\s*<div class="media">/);
});

test('a message to somebody who has blocked the sender keeps its text', async () => {
  await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.alice}/block`);
  const refused = await send(alice, PAIR, { text: 'Kept' });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('\nKept</textarea>');
});
