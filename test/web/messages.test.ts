import { afterAll, beforeAll, expect, test } from 'vitest';
import { mp4, png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser, type FormPart } from './support/browser.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Messages on pages without script: groups, files and deletions. Alice writes to bob and carol, who accept messages. */

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

const picture = (bytes: Buffer, name = 'a.png'): FormPart => ['file', name, 'image/png', bytes];

/** Sends the form of a page with files. */
async function sendFiles(path: string, parts: readonly FormPart[]) {
  const csrf = csrfOf((await alice.get(path)).text);
  return alice.postFiles(path, [['csrf', csrf], ...parts]);
}

/** Returns the fields with the uploaded files of a form that was answered, as a browser sends them again. */
const filesOf = (text: string): FormPart[] =>
  [...text.matchAll(/name="media" value="(\d+_\d+)"/g)].flatMap(([, key = '']) => [
    ['media', key],
    ['alt', `About ${key}`],
  ]);

test('a group starts with people, a message and a picture, and shows who is in it', async () => {
  expect((await alice.get('/messages')).text).toContain(`href="${NEW}"`);
  expectValidPage(await alice.get(NEW), NEW);
  const fields: FormPart[] = [
    ['people', '@BOB, carol  bob'],
    ['text', 'Hello <b>all</b> <https://example.com/?x=1&y=2>'],
  ];
  const { location = '' } = await sendFiles(NEW, [...fields, picture(await png())]);
  expect(location).toMatch(/^\/messages\/\d+#write$/);
  const path = location.replace('#write', '');
  const page = await bob.get(path);
  expectValidPage(page, path);
  expect(textOf(page)).toMatch(
    /Alice, Carol.*3 people.*@alice.*@bob.*@carol.*Alice added Bob and Carol \..*Hello &lt;b&gt;all&lt;\/b&gt;/,
  );
  expect(page.text).toContain(
    '&lt;<a href="https://example.com/?x=1&amp;y=2" rel="nofollow noopener noreferrer ugc"',
  );
  expect(page.text).toMatch(
    /<a href="\/messages\/media\/\d+"><img src="\/media\/[^"]+" alt="Photo without a description"/,
  );
  expect(textOf(await bob.get('/messages'))).toContain('Hello &lt;b&gt;all');
  expect((await send(bob, path, { text: 'Hello back' })).location).toBe(location);
  expect(textOf(await alice.get(path))).toContain('Hello back');
});

test('one name writes to this person', async () => {
  expect((await send(alice, NEW, { people: 'bob', text: 'Just you' })).location).toBe(`${PAIR}#write`);
});

test('a refused form keeps its people and its text', async () => {
  for (const [people, reason] of [
    ['', 'Name at least one person.'],
    ['bob @nobody "><i>', 'There is nobody named @nobody, @&quot;&gt;&lt;i&gt;.'],
    [Array.from({ length: 51 }, (_, number) => `n${number}`).join(' '), 'at most 50 people'],
  ] as const) {
    const refused = await send(alice, NEW, { people, text: 'Kept' });
    expect(refused.status).toBe(400);
    expectValidPage(refused, people);
    expect(refused.text).toContain(reason);
    expect(refused.text).toContain('\nKept</textarea>');
    expect(refused.text).toContain(
      `value="${people.replace('"><', '&quot;&gt;&lt;').replace('i>', 'i&gt;')}"`,
    );
  }
});

test('files are attached, described and sent, each as a message of its own', async () => {
  app.pipit.jobs.worker.start();
  const film: FormPart = ['file', 'film.mp4', 'video/mp4', mp4()];
  const parts: FormPart[] = [['text', 'Two birds'], picture(await png()), film];
  const attached = await sendFiles(PAIR, [...parts, ['do', 'attach']]);
  expectValidPage(attached, PAIR);
  const files = filesOf(attached.text);
  expect(files).toHaveLength(4);
  expect((await sendFiles(PAIR, [['text', 'Two birds'], ...files])).location).toBe(`${PAIR}#write`);
  const shown = await bob.get(PAIR);
  expectValidPage(shown, PAIR);
  expect(shown.text).toMatch(/<img [^>]*alt="About \d+_\d+"/);
  expect(shown.text).toMatch(/<video[^>]*aria-label="About \d+_\d+"[^>]*preload="none"/);
  expect(shown.text).not.toContain('autoplay');
  expect(textOf(await bob.get('/messages'))).toContain('A picture or a video');
});

test('what is refused stays in the form, with its files', async () => {
  const bad = await sendFiles(PAIR, [['text', 'Kept'], picture(Buffer.from('no picture'), '<i>.png')]);
  expect(bad.status).toBe(400);
  expect(bad.text).toMatch(/&lt;i&gt;\.png<\/strong> was not added[^]*\nKept<\/textarea>/);
  const long = 'x'.repeat(10_001);
  const refused = await sendFiles(PAIR, [['text', long], picture(await png())]);
  expect(refused.status).toBe(400);
  expectValidPage(refused, PAIR);
  expect(refused.text).toContain(`\n${long}</textarea>`);
  const files = filesOf(refused.text);
  const many: FormPart[] = Array.from({ length: 5 }, () => files).flat();
  const tooMany = await sendFiles(PAIR, [['text', 'Kept'], ...many]);
  expect([tooMany.status, filesOf(tooMany.text).length]).toEqual([400, 10]);
  // A file that was sent once is not sent again: the rest stays.
  const half = await sendFiles(PAIR, [['text', 'Shorter'], ...files, ...files]);
  expect(half.status).toBe(400);
  expect(half.text).toContain('The first messages were sent, the rest was not');
  expect(half.text).toContain('>\n</textarea>');
  expect((await bob.get(PAIR)).text).toMatch(/Shorter<\/div>\s*<div class="attached">/);
});

test('a message is deleted for its deleter alone', async () => {
  await send(alice, PAIR, { text: 'Not for long <i>' });
  const page = await alice.get(PAIR);
  const path = [...page.text.matchAll(/href="([^"]+\/delete)"/g)].at(-1)?.[1] ?? '';
  const asked = await alice.get(path);
  expectValidPage(asked, path);
  expect(textOf(asked)).toMatch(/Not for long &lt;i&gt;.*The others in the conversation still see it/);
  expect((await alice.submit(asked)).location).toBe(`${PAIR}#write`);
  expect((await alice.get(PAIR)).text).not.toContain('Not for long');
  expect((await bob.get(PAIR)).text).toContain('Not for long');
  for (const each of [path, `${PAIR}/x/delete`, `${PAIR}/1/delete`])
    expect((await alice.get(each)).status).toBe(404);
});

test('the form keeps the text of a message that a blocked sender may not send', async () => {
  await send(bob, '/home', { on: 'yes' }, `/i/users/${USERS.alice}/block`);
  const refused = await send(alice, PAIR, { text: 'Kept' });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('\nKept</textarea>');
});
