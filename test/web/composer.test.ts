import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { temporaryFolder } from '../support/cli.js';
import { gif, mp4, png } from '../api/support/media-files.js';
import { openBrowser, type Browser, type BrowserAnswer, type FormPart } from './support/browser.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Writing posts without script: pictures, threads, edits, and what stays when something is refused. */

const COMPOSE = '/compose/post';
const HOSTILE = '"><script>alert(1)</script>';

let app: TestApp;
let alice: Browser;
let picture: Buffer;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
  alice = openBrowser(app);
  await alice.signIn('alice', PASSWORDS.alice);
  picture = await png();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => app.close());

async function write(...fields: readonly FormPart[]): Promise<BrowserAnswer> {
  const csrf = csrfOf((await alice.get(COMPOSE)).text);
  return alice.postFiles(COMPOSE, [['csrf', csrf], ...fields]);
}

const photo = (name = 'photo.png', bytes = picture): FormPart => ['file', name, 'image/png', bytes];

/** Returns the values of the fields with this name. */
function valuesOf({ text }: BrowserAnswer, name: string): string[] {
  const form = text.replaceAll(/<template[^]*?<\/template>/g, '');
  const inputs = form.matchAll(new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`, 'g'));
  const areas = form.matchAll(new RegExp(`<textarea[^>]*name="${name}"[^>]*>\\n([^<]*)`, 'g'));
  return [...inputs, ...areas].map(([, value = '']) => value);
}

describe('pictures', () => {
  test('are posted with their descriptions in the order of the form', async () => {
    const answer = await write(
      ['text', 'Two pictures'],
      photo('one.png'),
      ['alt', 'The first & <best>'],
      photo('two.png'),
      ['alt', ''],
    );
    const page = await alice.follow(answer);
    expect(page.status).toBe(200);
    const shown = [...page.text.matchAll(/<img src="\/[^"]+" alt="([^"]*)" width="6"/g)].map(
      ([, alt]) => alt,
    );
    expect(shown).toEqual(['The first &amp; &lt;best&gt;', 'Photo without a description']);
  });

  test('can be attached first, then described, moved and removed', async () => {
    const attached = await write(['text', 'Later'], photo('one.png'), photo('two.png'), photo('three.png'), [
      'do',
      'attach',
    ]);
    expectValidPage(attached, COMPOSE);
    expect([attached.status, valuesOf(attached, 'text')]).toEqual([200, ['Later']]);
    expect(attached.text.match(/<img src="\/[^"]+" alt="" \/>/g)).toHaveLength(3);
    const [one = '', two = '', three = ''] = valuesOf(attached, 'media');
    const files: FormPart[] = [one, two, three].flatMap((key, at) => [
      ['media', key],
      ['alt', `Number ${at + 1}`],
    ]);
    const moved = await write(['text', 'Later'], ...files, ['do', `earlier ${two}`]);
    expect(valuesOf(moved, 'media')).toEqual([two, one, three]);
    expect(valuesOf(moved, 'alt')).toEqual(['Number 2', 'Number 1', 'Number 3']);
    const removed = await write(['text', 'Later'], ...files, ['do', `remove ${one}`]);
    expect(valuesOf(removed, 'media')).toEqual([two, three]);
    const posted = await alice.follow(await write(['text', 'Later'], ...files.slice(2)));
    expect(posted.text).toMatch(/alt="Number 2"[^]*alt="Number 3"/);
    // Posted media cannot be posted again; the form says so and keeps the text.
    const again = await write(['text', 'Again'], ...files.slice(2));
    expect([again.status, valuesOf(again, 'text')]).toEqual([400, ['Again']]);
  });

  test('a video that is still being prepared stays in the form', async () => {
    const csrf = csrfOf((await alice.get(COMPOSE)).text);
    const bytes = mp4();
    const begun = await alice.post('/i/media', { csrf, size: String(bytes.length), type: 'video/mp4' });
    const { id } = JSON.parse(begun.text) as { id: string };
    await alice.postFiles(`/i/media/${id}`, [
      ['csrf', csrf],
      ['index', '0'],
      ['file', 'part', '', bytes],
    ]);
    const done = await alice.postFiles(`/i/media/${id}`, [
      ['csrf', csrf],
      ['done', 'yes'],
    ]);
    expect(JSON.parse(done.text)).toEqual({ id, key: `7_${id}`, isProcessing: true });
    const early = await write(['text', 'Too early'], ['media', `7_${id}`], ['alt', 'A film']);
    expect([early.status, valuesOf(early, 'media'), valuesOf(early, 'alt')]).toEqual([
      400,
      [`7_${id}`],
      ['A film'],
    ]);
    expect(textOf(early)).toContain('still being prepared');
    const other = openBrowser(app);
    await other.signIn('bob', PASSWORDS.bob);
    expect((await other.get(`/i/media/${id}`)).status).toBe(404);
    await app.pipit.jobs.worker.runDue();
    expect(JSON.parse((await alice.get(`/i/media/${id}`)).text)).toEqual({
      id,
      key: `7_${id}`,
      isProcessing: false,
    });
    expect((await write(['text', 'In time'], ['media', `7_${id}`], ['alt', 'A film'])).status).toBe(303);
  });

  test('a GIF and a video are posted alone', async () => {
    app.pipit.jobs.worker.start();
    for (const file of [
      ['file', 'moving.gif', 'image/gif', gif()],
      ['file', 'film.mp4', 'video/mp4', mp4()],
    ] as const) {
      const page = await alice.follow(await write(['text', `With ${file[1]}`], file, ['alt', 'It moves']));
      expect([file[1], page.status]).toEqual([file[1], 200]);
      expect(page.text).toMatch(/(?:alt|aria-label)="It moves"/);
    }
  });

  test('files that cannot be used are refused by name, and the rest of the form stays', async () => {
    const answer = await write(
      ['text', 'Keep me'],
      photo('good.png'),
      ['alt', 'Kept, too'],
      photo('<img src=x onerror=alert(1)>.png', Buffer.from('no picture')),
      photo('empty.png', Buffer.alloc(0)),
      photo('big.png', Buffer.alloc(5 * 1024 * 1024 + 1)),
      ['file', '', 'application/octet-stream', Buffer.alloc(0)],
    );
    expectValidPage(answer, COMPOSE);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('<img src=x');
    expect(textOf(answer)).toMatch(
      /alert\(1\).* was not added: .*empty\.png was not added.*big\.png was not added: .*5242880/,
    );
    expect([valuesOf(answer, 'text'), valuesOf(answer, 'alt')]).toEqual([['Keep me'], ['Kept, too']]);
    expect(valuesOf(answer, 'media')).toHaveLength(1);
  });

  test('too many pictures, hostile keys and keys of others are refused or left out', async () => {
    const many = await write(['text', 'Five'], ...[1, 2, 3, 4, 5].map((at) => photo(`${at}.png`)));
    expect([many.status, valuesOf(many, 'media').length]).toEqual([400, 5]);
    const hostile = await write(['text', 'Not mine'], ['media', HOSTILE], ['media', '3_1'], ['do', 'show']);
    expect(valuesOf(hostile, 'media')).toEqual([]);
    expect(textOf(hostile)).toContain('A file is no longer there');
    expect((await write(['text', 'Not mine'], ['media', '3_1'])).status).toBe(400);
    expect((await write(['text', 'x'], ['file', '0'])).status).toBe(303);
  });

  test('a description that is too long stays in the form', async () => {
    const answer = await write(['text', 'Long'], photo(), ['alt', 'x'.repeat(1001)]);
    expect([answer.status, valuesOf(answer, 'alt')]).toEqual([400, ['x'.repeat(1001)]]);
  });

  test('a form that is out of date stores no file and keeps its text', async () => {
    // Other tests keep their forms in the common folder at the same time.
    await using uploads = await temporaryFolder();
    vi.stubEnv('TMPDIR', uploads.path);
    const answer = await alice.postFiles(COMPOSE, [['csrf', 'x'], ['text', 'Too late'], photo()]);
    expectValidPage(answer, COMPOSE);
    expect([answer.status, valuesOf(answer, 'text'), valuesOf(answer, 'media')]).toEqual([
      403,
      ['Too late'],
      [],
    ]);
    const stranger = openBrowser(app);
    const lost = await stranger.postFiles(COMPOSE, [
      ['csrf', 'x'],
      ['text', 'Signed out & late'],
    ]);
    expect(lost.status).toBe(403);
    expect(lost.text).toContain(
      encodeURIComponent(new URLSearchParams({ text: 'Signed out & late' }).toString()),
    );
    expect(await readdir(uploads.path)).toEqual([]);
  });
});

describe('uploads of the script', () => {
  test('are checked as the API checks them, and belong to their user', async () => {
    const csrf = csrfOf((await alice.get(COMPOSE)).text);
    const begin = (size: string, type = 'image/png') => alice.post('/i/media', { csrf, size, type });
    for (const size of ['', '0', '-1', 'x', '1e99', '1.5', String(6 * 1024 * 1024)])
      expect([size, (await begin(size)).status]).toEqual([size, 400]);
    for (const type of ['', HOSTILE, 'image/png\r\nx-evil: 1', 'x'.repeat(101)])
      expect([200, 400]).toContain((await begin('9', type)).status);
    const { id } = JSON.parse((await begin(String(picture.length))).text) as { id: string };
    const segment = (path: string, index: string, bytes = picture, from = alice, token = csrf) =>
      from.postFiles(path, [
        ['csrf', token],
        ['index', index],
        ['file', HOSTILE, 'text/html', bytes],
      ]);
    for (const index of ['', 'x', '-1', '1000', '1e3'])
      expect([index, (await segment(`/i/media/${id}`, index)).status]).toEqual([
        index,
        index === '' ? 204 : 400,
      ]);
    for (const path of ['/i/media/x', '/i/media/1', '/i/media/%00'])
      expect([400, 404]).toContain((await segment(path, '0')).status);
    expect((await segment(`/i/media/${id}`, '0', Buffer.alloc(5 * 1024 * 1024))).status).toBe(413);
    const bob = openBrowser(app);
    await bob.signIn('bob', PASSWORDS.bob);
    const theirs = csrfOf((await bob.get(COMPOSE)).text);
    expect((await segment(`/i/media/${id}`, '0', picture, bob, theirs)).status).toBe(404);
    expect(
      (
        await alice.postFiles(`/i/media/${id}`, [
          ['csrf', csrf],
          ['done', 'yes'],
        ])
      ).status,
    ).toBe(200);
    expect((await openBrowser(app).get(`/i/media/${id}`)).location).toContain('/sign-in');
    const completions = (text: string): string => `/i/completions?text=${encodeURIComponent(text)}`;
    for (const text of ['', 'bo', '@', '#', '@b o', HOSTILE, `@${'x'.repeat(60)}`, '@a\u0000'])
      expect((await alice.get(completions(text), { 'pipit-part': 'completions' })).status).toBeLessThan(500);
  });
});

describe('threads', () => {
  test('are posted in order, each below the one before', async () => {
    const page = await alice.follow(
      await write(
        ['text', 'First of three'],
        ['text', 'Second of three'],
        photo(),
        ['text', ''],
        ['text', 'Third of three'],
      ),
    );
    expect(textOf(page)).toMatch(/First of three.*Second of three.*Third of three/);
    const [, second] = [...page.text.matchAll(/id="post-(\d+)"/g)].map(([, id]) => id);
    const inside = await alice.get(`/i/status/${second}`);
    expect(textOf(await alice.follow(inside))).toMatch(/First of three.*Second of three.*Third of three/);
  });

  test('grow and shrink by buttons', async () => {
    const grown = await write(['text', 'One'], ['option1', 'Yes'], ['do', 'add']);
    expect([valuesOf(grown, 'text'), valuesOf(grown, 'option1')]).toEqual([['One', ''], ['Yes']]);
    expectValidPage(grown, COMPOSE);
    const shrunk = await write(['text', 'One'], ['text', 'Two'], ['text', 'Three'], ['do', 'drop 1']);
    expect(valuesOf(shrunk, 'text')).toEqual(['One', 'Three']);
    for (const action of ['drop 9', 'drop x', 'earlier', 'remove', 'nothing', HOSTILE])
      expect(valuesOf(await write(['text', 'One'], ['text', 'Two'], ['do', action]), 'text')).toEqual([
        'One',
        'Two',
      ]);
    const many = Array.from({ length: 30 }, (): FormPart => ['text', 'x']);
    expect(valuesOf(await write(...many, ['do', 'add']), 'text')).toHaveLength(25);
  });

  test('when one post is refused, those before it stay, and the rest is in the form', async () => {
    const answer = await write(
      ['text', 'Goes well'],
      ['text', 'x'.repeat(281)],
      photo(),
      ['alt', 'A picture'],
      ['text', 'The end'],
    );
    expect(answer.status).toBe(400);
    expectValidPage(answer, COMPOSE);
    expect(textOf(answer)).toMatch(/1 of 3 posts are posted.*The rest is below/);
    expect(valuesOf(answer, 'text')).toEqual(['x'.repeat(281), 'The end']);
    expect(valuesOf(answer, 'alt')).toEqual(['A picture']);
    const [parent = ''] = valuesOf(answer, 'reply_to');
    const [key = ''] = valuesOf(answer, 'media');
    expect(textOf(await alice.follow(await alice.get(`/i/status/${parent}`)))).toContain('Goes well');
    const rest = await alice.follow(
      await write(
        ['reply_to', parent],
        ['text', 'Shorter'],
        ['media', key],
        ['alt', 'A picture'],
        ['text', 'The end'],
      ),
    );
    expect(textOf(rest)).toMatch(/Goes well.*Shorter.*The end/);
  });
});

describe('edits', () => {
  test('a post is edited within its window, with its pictures; others’ posts are not', async () => {
    const posted = await write(['text', 'Befor & after'], photo(), ['alt', 'Stays']);
    const page = await alice.follow(posted);
    const id = /class="post main" id="post-(\d+)"/.exec(page.text)?.[1] ?? '';
    expect((await alice.get(`/i/posts/${id}/menu`)).text).toContain(`${COMPOSE}?edit=${id}`);
    const form = await alice.get(`${COMPOSE}?edit=${id}`);
    expectValidPage(form, COMPOSE);
    expect([valuesOf(form, 'text'), valuesOf(form, 'edit'), valuesOf(form, 'alt')]).toEqual([
      ['Befor &amp; after'],
      [id],
      [],
    ]);
    const [key = ''] = valuesOf(form, 'media');
    const edited = await alice.follow(await write(['edit', id], ['text', 'Before & after'], ['media', key]));
    expect(edited.status).toBe(200);
    expect(edited.text).toContain('Before &amp; after');
    expect(edited.text).toContain('alt="Stays"');
    const refused = await write(['edit', id], ['text', 'x'.repeat(300)], ['media', key]);
    expect([refused.status, valuesOf(refused, 'edit')]).toEqual([400, [id]]);
    const bob = openBrowser(app);
    await bob.signIn('bob', PASSWORDS.bob);
    expect((await bob.get(`${COMPOSE}?edit=${id}`)).status).toBe(404);
    expect((await alice.get(`${COMPOSE}?edit=1`)).status).toBe(404);
    expect((await alice.get(`${COMPOSE}?edit=x`)).status).toBe(404);
  });
});

describe('the menu of a post', () => {
  test('asks before it deletes', async () => {
    const page = await alice.follow(await write(['text', 'Short life']));
    const id = /class="post main" id="post-(\d+)"/.exec(page.text)?.[1] ?? '';
    const asked = await alice.get(`/i/posts/${id}/delete`);
    expectValidPage(asked, 'delete');
    expect(textOf(asked)).toContain('Short life');
    expect((await alice.submit(asked)).location).toBe('/home');
    expect((await alice.get(`/i/status/${id}`)).status).toBe(404);
    expect((await alice.get(`/i/posts/${id}/delete`)).status).toBe(404);
  });

  test('puts bookmarks into folders, each with a page', async () => {
    const page = await alice.follow(await write(['text', 'Worth a folder']));
    const id = /class="post main" id="post-(\d+)"/.exec(page.text)?.[1] ?? '';
    expect((await alice.get(`/i/posts/${id}/menu`)).text).not.toContain('name="folder"');
    for (const name of ['', '   ', 'x'.repeat(26)])
      expect((await send(alice, '/i/bookmarks', { name })).status).toBe(400);
    const made = await send(alice, '/i/bookmarks', { name: '<b>Herons</b>' });
    const folder = made.location?.split('/').at(-1) ?? '';
    const menu = await alice.get(`/i/posts/${id}/menu`);
    expectValidPage(menu, 'menu');
    expect(menu.text).toContain('&lt;b&gt;Herons');
    const kept = await send(alice, `/i/posts/${id}/menu`, { folder }, `/i/posts/${id}/folder`);
    expect(kept.location).toBe(`/i/bookmarks/${folder}`);
    const shown = await alice.get(`/i/bookmarks/${folder}`);
    expectValidPage(shown, 'folder');
    expect(textOf(shown)).toMatch(/Herons.*Worth a folder/);
    expect((await alice.get('/i/bookmarks')).text).toContain(`href="/i/bookmarks/${folder}"`);
    const bob = openBrowser(app);
    await bob.signIn('bob', PASSWORDS.bob);
    for (const path of [`/i/bookmarks/${folder}`, '/i/bookmarks/x', '/i/bookmarks/1'])
      expect((await bob.get(path)).status).toBe(404);
    expect((await send(bob, '/home', { folder }, `/i/posts/${id}/folder`)).status).toBe(404);
  });

  test('renames a folder and deletes it; its posts stay bookmarked', async () => {
    const page = await alice.follow(await write(['text', 'Kept without its folder']));
    const id = /class="post main" id="post-(\d+)"/.exec(page.text)?.[1] ?? '';
    const path = (await send(alice, '/i/bookmarks', { name: 'Grebes' })).location ?? '';
    const folder = path.split('/').at(-1) ?? '';
    await send(alice, `/i/posts/${id}/menu`, { folder }, `/i/posts/${id}/folder`);
    const refused = await send(alice, path, { name: '"><i>'.repeat(6) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`value="${'&quot;&gt;&lt;i&gt;'.repeat(6)}"`);
    const renamed = await alice.follow(await send(alice, path, { name: ' <b>Divers</b> ' }));
    expectValidPage(renamed, path);
    expect(textOf(renamed)).toMatch(/The folder has its new name\..*Kept without its folder/);
    expect(renamed.text).toContain('<h1 dir="auto">&lt;b&gt;Divers&lt;/b&gt;</h1>');
    const bob = openBrowser(app);
    await bob.signIn('bob', PASSWORDS.bob);
    for (const form of [path, `${path}/delete`])
      expect((await send(bob, '/i/bookmarks', { name: 'Mine' }, form)).status).toBe(404);
    const left = await alice.follow(await send(alice, path, {}, `${path}/delete`));
    expect(textOf(left)).toMatch(/The folder is deleted\..*Kept without its folder/);
    expect(left.text).not.toContain('Divers');
    expect((await alice.get(path)).status).toBe(404);
  });
});

describe('limits', () => {
  test('a post above the limit stays in its form, with its pictures', async () => {
    // 2 posts in 15 minutes.
    await using limited = await startTestApp({ world: webWorld(), flags: { rateLimits: '0.01' } });
    const browser = openBrowser(limited);
    await browser.signIn('alice', PASSWORDS.alice);
    const csrf = csrfOf((await browser.get(COMPOSE)).text);
    const fields: FormPart[] = [
      ['csrf', csrf],
      ...['One', 'Two', 'Three'].map((text): FormPart => ['text', text]),
    ];
    const answer = await browser.postFiles(COMPOSE, [...fields, photo(), ['alt', 'Kept']]);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    expectValidPage(answer, COMPOSE);
    expect([valuesOf(answer, 'text'), valuesOf(answer, 'alt')]).toEqual([['Three'], ['Kept']]);
    expect(textOf(answer)).toMatch(/2 of 3 posts are posted.*Nothing of this was posted.*Please wait/);
  });
});
