import type { Browser as Chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { mainForm, openBrowser, type Browser } from './support/browser.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const ADD = '/sign-in?add=1&next=/home';
const SWITCH = '/my-account/switch';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
});
afterAll(() => app.close());

/** Returns the username that acts in a browser; undefined if nobody is signed in. */
async function actingIn(browser: Browser): Promise<string | undefined> {
  const page = await browser.get('/my-account');
  return /Sign out <span class="who">@(\w+)/.exec(page.text)?.[1];
}

async function add(browser: Browser, username: keyof typeof PASSWORDS): Promise<void> {
  const form = await browser.get(ADD);
  expect((await browser.submit(form, { username, password: PASSWORDS[username] })).status).toBe(303);
}

describe('several accounts in one browser', () => {
  let browser: Browser;

  beforeEach(async () => {
    browser = openBrowser(app);
    await browser.signIn('alice', PASSWORDS.alice);
    await add(browser, 'bob');
  });

  test('the new one acts, and the navigation leads back to the first', async () => {
    expect(await actingIn(browser)).toBe('bob');
    const page = await browser.get('/home');
    expect(page.text).toContain(`name="account" value="${USERS.alice}"`);
    expect(page.text).not.toContain(`name="account" value="${USERS.bob}"`);
    const answer = await send(browser, '/home', { account: USERS.alice }, SWITCH);
    expect([answer.status, answer.location]).toEqual([303, '/home']);
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) expect(line).toContain('; HttpOnly; ');
    expect(await actingIn(browser)).toBe('alice');
  });

  test('signing out leaves the others, and signing out of all leaves none', async () => {
    const before = new Map(browser.cookies);
    expect((await send(browser, '/home', {}, '/sign-out')).location).toBe('/');
    expect(await actingIn(browser)).toBe('alice');
    await add(browser, 'bob');
    await send(browser, '/home', { all: 'yes' }, '/sign-out');
    expect([...browser.cookies.keys()].filter((name) => name !== 'pipit_form')).toEqual([]);
    const thief = openBrowser(app);
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect(await actingIn(thief)).toBeUndefined();
  });

  test('signing in as an account that is there already replaces its session', async () => {
    await add(browser, 'alice');
    expect(await actingIn(browser)).toBe('alice');
    const page = await browser.get('/home');
    expect(page.text.match(/name="account"/g)).toHaveLength(1);
  });

  test('an account that is not signed in here cannot act', async () => {
    for (const account of [USERS.carol, '', 'x', '9'.repeat(30), '-1'])
      expect([account, (await send(browser, '/home', { account }, SWITCH)).status]).toEqual([account, 404]);
    expect((await browser.post(SWITCH, { account: USERS.alice })).status).toBe(403);
    expect(await actingIn(browser)).toBe('bob');
  });

  test('a form that was opened as one account never acts as another, and its text is kept', async () => {
    const opened = await browser.get('/compose/post');
    const { csrf = '' } = mainForm(opened.text).fields;
    await send(browser, '/home', { account: USERS.alice }, SWITCH);
    const text = 'A text <b>with</b>\nseveral words';
    const refused = await browser.post('/my-account', {
      csrf,
      description: text,
      password: 'my secret words',
    });
    expect(refused.status).toBe(403);
    expect(textOf(refused)).toContain('was opened as @bob, and you act as @alice now. Nothing was sent');
    expect(refused.text).toContain('A text &lt;b&gt;with&lt;/b&gt;\nseveral words');
    expect(refused.text).not.toContain('my secret words');
    expect((await browser.get('/my-account')).text).not.toContain('several words');
    expect((await browser.submit(refused, {}, USERS.bob)).status).toBe(303);
    expect(await actingIn(browser)).toBe('bob');
  });

  test('cookies of other shapes sign nobody in', async () => {
    const [session = '', others = ''] = [
      browser.cookies.get('pipit_session'),
      browser.cookies.get('pipit_accounts'),
    ];
    const hostile = openBrowser(app);
    for (const value of [
      '.....',
      'x'.repeat(4000),
      `${others}.${others}.${session}`,
      '"><script>.__proto__',
    ]) {
      hostile.cookies.set('pipit_accounts', value);
      expect((await hostile.get('/home')).location).toContain('/sign-in');
    }
    browser.cookies.set('pipit_accounts', `${others}.${others}.${session}`);
    expect((await browser.get('/home')).text.match(/name="account"/g)).toHaveLength(1);
  });
});

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let chromium: Chromium;
  let url: string;

  beforeAll(async () => {
    url = await app.listen();
    chromium = await openChromium();
  });
  afterAll(() => closeWindows(chromium));

  test.each([true, false])(
    'two accounts post and switch; with script: %s',
    async (javaScriptEnabled) => {
      const context = await chromium.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const signIn = async (username: keyof typeof PASSWORDS): Promise<void> => {
        await page.fill('[name=username]', username);
        await page.fill('[name=password]', PASSWORDS[username]);
        await Promise.all([page.waitForURL('**/home'), page.click('main button')]);
      };
      await page.goto(`${url}/sign-in`);
      await signIn('alice');
      await page.getByRole('link', { name: 'Add an account' }).click();
      await signIn('bob');
      const other = await context.newPage();
      await other.goto(`${url}/compose/post`);
      await Promise.all([
        page.waitForURL('**/home'),
        page.getByRole('button', { name: 'Switch to @alice' }).click(),
      ]);
      // The other tab still shows the form of bob: it posts as nobody, and keeps what was written.
      const text = `Written as bob ${javaScriptEnabled}`;
      await other.getByRole('main').getByRole('textbox').first().fill(text);
      await other.getByRole('main').getByRole('button', { name: /^Post/ }).first().click();
      await other
        .getByText(/out of date|another account/)
        .first()
        .waitFor();
      expect(await other.content()).toContain(text);
      for (const name of ['alice', 'bob'])
        expect((await openBrowser(app).get(`/${name}`)).text).not.toContain(text);
      await page.getByRole('button', { name: /^Sign out of all/ }).click();
      await page.waitForURL((to) => !to.pathname.startsWith('/home'));
      expect((await context.cookies()).filter(({ name }) => /session|accounts/.test(name))).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
