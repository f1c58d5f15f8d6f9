import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/database/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { requestToken } from './support/oauth1-flow.js';
import { authorizeUrl, NATIVE } from './support/oauth2-flow.js';
import { expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const NOW_MS = Date.UTC(2022, 9, 7);
const ABOUT = { description: 'Counts <birds> & bees.', website: 'https://birds.example/about?us=1&them' };
const APP_PATH = `/my-apps/${WEB_APP.id}/settings`;

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  const world = webWorld();
  const apps = (world['apps'] ?? []).map((entry) =>
    (entry as { id: string }).id === WEB_APP.id ? { ...(entry as object), ...ABOUT } : entry,
  );
  app = await startTestApp({ world: { ...world, apps }, clock: () => NOW_MS });
});
afterAll(() => app.close());
beforeEach(async () => {
  browser = openBrowser(app);
  await browser.signIn('alice', PASSWORDS.alice);
});

const ways: [string, () => Promise<BrowserAnswer>][] = [
  ['OAuth 2.0', () => browser.get(authorizeUrl())],
  [
    'OAuth 1.0a',
    async () => {
      const { token } = await requestToken(app, NOW_MS, {});
      return browser.get(`/oauth/authorize?oauth_token=${token}`);
    },
  ],
];

describe.each(ways)('a consent page of %s', (_, ask) => {
  test('shows the description and the owner of the app', async () => {
    const page = await ask();
    expectValidPage(page, 'consent');
    expect(textOf(page)).toContain('Allow Birds &amp; &lt;Bees&gt; to use your account?');
    expect(textOf(page)).toContain('Counts &lt;birds&gt; &amp; bees.');
    expect(textOf(page)).toMatch(/Made by Alice \(@alice\)/);
    expect(page.text).toContain('href="https://birds.example/about?us=1&amp;them"');
    expect(textOf(page)).toContain('birds.example/about?us=1&amp;them');
  });

  test('can be used with another account', async () => {
    const page = await ask();
    const link = /<a href="([^"]+)">Use another account/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const signInPage = await browser.get(link);
    expect(signInPage.status).toBe(200);
    const typed = { username: 'bob', password: PASSWORDS.bob };
    const again = await browser.follow(await browser.submit(signInPage, typed));
    expect(textOf(again)).toContain('You are signed in as @bob .');
  });
});

test('an app without a description is shown with its owner only', async () => {
  const text = textOf(await browser.get(authorizeUrl(NATIVE)));
  expect(text).toMatch(/Made by Bob \(@bob\)/);
  expect(text).not.toContain('Website');
});

test('invisible characters in stored names cannot change the surrounding text', async () => {
  const { engine } = app.pipit.backend;
  await engine.tx('rename', async (tx) => {
    await tx.run(sql`UPDATE apps SET name = ${'Na\u202etive\u200b'} WHERE id = ${3002n}`);
    await tx.run(sql`UPDATE users SET name = ${'\u3164\u2800'} WHERE id = ${BigInt(USERS.bob)}`);
  });
  const { text } = await browser.get(authorizeUrl(NATIVE));
  expect(text).toContain('<h1>Allow <bdi>Na tive</bdi> to use your account?</h1>');
  expect(text).toContain('<dd><bdi>bob</bdi> (@bob)</dd>');
  expect(text).not.toMatch(/[\u202e\u200b\u3164\u2800]/);
});

describe('the owner of an app', () => {
  const FORM = {
    name: 'Birds',
    permissions: 'read',
    type: 'confidential',
    redirect_uris: 'https://client.example/callback?from=pipit',
  };

  test('can change and remove its description', async () => {
    for (const about of [
      { description: 'For ornithologists.', website: 'http://b.example' },
      { description: '', website: '' },
      ABOUT,
    ]) {
      expect((await send(browser, APP_PATH, { ...FORM, ...about })).location).toBe(`${APP_PATH}?done=saved`);
      expect(await app.pipit.backend.apps.find(BigInt(WEB_APP.id) as never)).toMatchObject(about);
    }
  });

  test.each([
    ['a script', 'website', 'javascript:alert(1)'],
    ['a text that is not a URL', 'website', 'birds'],
    ['another scheme', 'website', 'ftp://birds.example/'],
    ['a URL with a space', 'website', 'https://birds.example/ x'],
    ['too long a description', 'description', 'x'.repeat(201)],
    ['words that turn what follows', 'description', 'birds \u202E seeb'],
  ])('cannot set %s', async (_, field, value) => {
    const page = await send(browser, APP_PATH, { ...FORM, ...ABOUT, [field]: value });
    expect(page.status).toBe(400);
    expect(page.text).toContain(`id="${field}-fault"`);
    expect(await app.pipit.backend.apps.find(BigInt(WEB_APP.id) as never)).toMatchObject(ABOUT);
  });
});
