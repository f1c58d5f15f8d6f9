import type { Browser, Page } from 'playwright-core';
import { TwitterApi } from 'twitter-api-v2';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { LocalAgent } from '../wire/support/local-agent.js';
import { startCallbackServer, type CallbackServer } from './support/callback-server.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { makeOperator } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** A name of maximum length without a place to break. */
const LONG = 'Long'.repeat(25);
const OTHER_APP = {
  id: '3003',
  api_key: 'k3',
  api_secret: 's3',
  bearer_token: 'b3',
  client_id: 'c3',
} as const;
const OPERATORS_PAGE = `/operator-desk/users/${USERS.alice}`;

/**
 * twitter-api-v2, unmodified, with a real Chromium: its handling of cookies, redirects and the content security
 * policy. PIPIT_SCREENSHOTS names a folder for screenshots.
 */
describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where Debian’s is not installed)', () => {
  let callback: CallbackServer;
  let app: TestApp;
  let url: string;
  let chromium: Browser;
  /** A page without script, on which nobody is signed in when a test starts. */
  let plainPage: Page;
  let page: Page;
  let agent: LocalAgent;

  beforeAll(async () => {
    callback = await startCallbackServer();
    const world = webWorld();
    const apps = (world['apps'] ?? []).map((entry) => ({
      ...(entry as object),
      redirect_uris: [callback.url],
    }));
    const users = world['users']?.map((user) => ({ ...(user as object), description: LONG }));
    const other = { ...apps[0], ...OTHER_APP, name: LONG };
    app = await startTestApp({ world: { ...world, users, apps: [...apps, other] } });
    await makeOperator(app, 'alice');
    url = await app.listen();
    agent = new LocalAgent(Number(new URL(url).port));
    chromium = await openChromium();
    plainPage = await (await chromium.newContext({ javaScriptEnabled: false })).newPage();
    plainPage.setDefaultTimeout(10_000);
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
    await callback?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    page = plainPage;
    await page.context().clearCookies();
  });

  /** Returns the page at this server. */
  const here = (link: string) => link.replace(/^https:\/\/[^/]+/, url);
  const signIn = async (username: keyof typeof PASSWORDS = 'alice') => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORDS[username]);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  };
  const press = (name: 'Allow' | 'Deny') => page.getByRole('button', { name }).click();
  const arrival = async () => {
    await page.getByRole('heading', { name: 'Back at the client' }).waitFor();
    return callback.lastVisit()?.searchParams ?? new URLSearchParams();
  };
  const oauth2Client = () =>
    new TwitterApi(
      { clientId: WEB_APP.client_id, clientSecret: WEB_APP.client_secret },
      { httpAgent: agent },
    );
  const oauth1Client = (tokens: { accessToken?: string; accessSecret?: string } = {}) =>
    new TwitterApi(
      { appKey: WEB_APP.api_key, appSecret: WEB_APP.api_secret, ...tokens },
      { httpAgent: agent },
    );

  test('OAuth 2.0: link, sign-in, consent, tokens, refresh, revoke', async () => {
    const client = oauth2Client();
    const link = client.generateOAuth2AuthLink(callback.url, {
      scope: ['tweet.read', 'users.read', 'tweet.write', 'offline.access'],
    });
    await page.goto(here(link.url));
    await signIn();
    await press('Allow');
    const sent = await arrival();
    expect(sent.get('state')).toBe(link.state);
    const { code, codeVerifier } = { code: sent.get('code') ?? '', codeVerifier: link.codeVerifier };
    const first = await client.loginWithOAuth2({ code, codeVerifier, redirectUri: callback.url });
    expect(first.expiresIn).toBe(7200);
    expect((await first.client.v2.me()).data.username).toBe('alice');
    const second = await client.refreshOAuth2Token(first.refreshToken ?? '');
    expect((await second.client.v2.tweet('From a consent')).data.text).toBe('From a consent');
    await client.revokeOAuth2Token(second.refreshToken ?? '', 'refresh_token');
    await expect(second.client.v2.me()).rejects.toMatchObject({ code: 401 });
    await expect(client.refreshOAuth2Token(second.refreshToken ?? '')).rejects.toMatchObject({ code: 400 });
  });

  test('OAuth 2.0: a wrong verifier, a repeated code and a used refresh token fail as documented', async () => {
    const client = oauth2Client();
    const link = client.generateOAuth2AuthLink(callback.url, {
      scope: ['tweet.read', 'users.read', 'offline.access'],
    });
    await page.goto(here(link.url));
    await signIn();
    await press('Allow');
    const code = (await arrival()).get('code') ?? '';
    const login = (codeVerifier: string) =>
      client.loginWithOAuth2({ code, codeVerifier, redirectUri: callback.url });
    const refusal = (what: string) => ({
      code: 400,
      data: { error: 'invalid_request', error_description: expect.stringContaining(what) },
    });
    await expect(login('x'.repeat(43))).rejects.toMatchObject(refusal('code verifier did not match'));
    const first = await login(link.codeVerifier);
    const second = await client.refreshOAuth2Token(first.refreshToken ?? '');
    await expect(client.refreshOAuth2Token(first.refreshToken ?? '')).rejects.toMatchObject(
      refusal('token was invalid'),
    );
    await expect(second.client.v2.me()).rejects.toMatchObject({ code: 401 });
    await expect(login(link.codeVerifier)).rejects.toMatchObject(refusal('authorization code was invalid'));

    const foreign = client.generateOAuth2AuthLink('https://evil.example/', { scope: ['tweet.read'] });
    await page.goto(here(foreign.url));
    expect(new URL(page.url()).origin).toBe(url);
    expect(await page.getByRole('main').innerText()).toContain('not one that the app has registered');
  });

  test('OAuth 1.0a: link, sign-in, consent, tokens; the second time authenticate skips consent', async () => {
    const link = await oauth1Client().generateAuthLink(callback.url);
    await page.goto(here(link.url));
    await signIn('bob');
    await press('Allow');
    const sent = await arrival();
    const tokens = { accessToken: link.oauth_token, accessSecret: link.oauth_token_secret };
    const login = await oauth1Client(tokens).login(sent.get('oauth_verifier') ?? '');
    expect(login.screenName).toBe('bob');
    expect((await login.client.v2.me()).data.username).toBe('bob');

    // Signed out, so that the sign-in form redirects to the other site.
    await page.context().clearCookies();
    const again = await oauth1Client().generateAuthLink(callback.url);
    await page.goto(here(again.url));
    await signIn('bob');
    expect((await arrival()).get('oauth_token')).toBe(again.oauth_token);
  });

  test('OAuth 1.0a with a PIN', async () => {
    const link = await oauth1Client().generateAuthLink('oob', {
      linkMode: 'authorize',
      authAccessType: 'read',
    });
    await page.goto(here(link.url));
    await signIn();
    await press('Allow');
    const pin = await page.locator('.pin').innerText();
    expect(pin).toMatch(/^\d{7}$/);
    const tokens = { accessToken: link.oauth_token, accessSecret: link.oauth_token_secret };
    const login = await oauth1Client(tokens).login(pin);
    await expect(login.client.v2.tweet('not allowed')).rejects.toMatchObject({ code: 403 });
  });

  test('denial is reported as access_denied and as denied', async () => {
    const link = oauth2Client().generateOAuth2AuthLink(callback.url, { scope: ['tweet.read', 'users.read'] });
    await page.goto(here(link.url));
    await signIn();
    await press('Deny');
    const sent = await arrival();
    expect([sent.get('error'), sent.get('state')]).toEqual(['access_denied', link.state]);
    const other = await oauth1Client().generateAuthLink(callback.url, { linkMode: 'authorize' });
    await page.goto(here(other.url));
    await press('Deny');
    await page.waitForURL(/denied=/);
    expect((await arrival()).get('denied')).toBe(other.oauth_token);
  });

  test('the app-only token of a client is obtained with its keys', async () => {
    const client = await oauth1Client().appLogin();
    expect((await client.v2.userByUsername('alice')).data.username).toBe('alice');
  });

  test('every step works with the keyboard, with visible focus', async () => {
    const link = oauth2Client().generateOAuth2AuthLink(callback.url, { scope: ['tweet.read', 'users.read'] });
    await page.goto(here(link.url));
    // A page sets the focus when it is first drawn, which can be after it has loaded.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('alice');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORDS.alice);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Allow');
    await page.keyboard.press('Enter');
    expect((await arrival()).get('code')).not.toBeNull();
  });

  const LOOKS = [
    ['phone', { width: 360, height: 740 }, 'light'],
    ['phone', { width: 360, height: 740 }, 'dark'],
    ['desktop', { width: 1280, height: 800 }, 'dark'],
    ['desktop', { width: 1280, height: 800 }, 'light'],
  ] as const;

  test('no element overflows on a phone or a desktop, light or dark', async () => {
    const context = await chromium.newContext({ javaScriptEnabled: true });
    onTestFinished(() => context.close());
    page = await context.newPage();
    const folder = process.env['PIPIT_SCREENSHOTS'];
    const isWide = 'document.documentElement.scrollWidth > window.innerWidth';
    const look = async (name: string, fault = isWide) => {
      for (const [device, viewport, colorScheme] of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const at = `${name}-${device}-${colorScheme}`;
        expect(await page.evaluate('window.innerWidth'), at).toBe(viewport.width);
        expect(await page.evaluate(fault), at).toBe(false);
        if (folder !== undefined && fault === isWide)
          await page.screenshot({ path: `${folder}/${at}.png`, fullPage: true });
      }
    };
    const scope = ['tweet.read', 'tweet.write', 'users.read', 'follows.read', 'like.write', 'offline.access'];
    const link = oauth2Client().generateOAuth2AuthLink(callback.url, { scope });
    await page.goto(here(link.url));
    await look('sign-in');
    await page.getByLabel('Username').fill('alice');
    await page.getByLabel('Password').fill('wrong');
    const refused = page.waitForEvent('load');
    await page.getByRole('main').getByRole('button').click();
    await refused;
    await look('sign-in-wrong');
    await signIn();
    await look('consent');
    await page.goto(`${url}/`);
    await look('start');
    await page.goto(`${url}/i/oauth2/authorize?client_id=nobody`);
    await look('error');
    const pin = await oauth1Client().generateAuthLink('oob', { linkMode: 'authorize' });
    await page.goto(here(pin.url));
    await look('consent-oauth1');
    await press('Allow');
    await look('pin');
    for (const path of ['/my-account/closing', '/my-apps', `/my-apps/${OTHER_APP.id}`, OPERATORS_PAGE]) {
      await page.goto(url + path);
      await look(path.slice(1).replaceAll('/', '-'));
    }
    // Too long for a screenshot.
    await page.goto(`${url}/docs`);
    await look(
      'docs',
      `[...document.querySelectorAll('.scroll')].some((each) => each.scrollWidth > each.clientWidth)`,
    );
  });
});
