import { Strategy as OAuth2Strategy } from '@superfaceai/passport-twitter-oauth2';
import { Strategy as OAuth1Strategy } from 'passport-twitter';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser } from './support/browser.js';
import { CHROMIUM, closeWindows, openChromium } from './support/chromium.js';
import { startPassportSite, type PassportSite } from './support/passport-site.js';
import { NATIVE_APP, PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** Web sites that use passport’s unmodified strategies for Twitter, with configured addresses, in a real Chromium. */
describe.skipIf(CHROMIUM === undefined)('passport (skipped where Debian’s Chromium is not installed)', () => {
  let site: PassportSite;
  let app: TestApp;
  let url: string;
  let chromium: Browser;
  /** A page on which alice is signed in to this server. */
  let alicesPage: Page;
  /** A page on which others sign in. */
  let strangersPage: Page;
  let page: Page;
  /** The lead of the server’s clock over that of the site. */
  let aheadMs = 0;

  beforeAll(async () => {
    site = await startPassportSite();
    const world = webWorld();
    const apps = (world['apps'] ?? []).map((entry) => ({
      ...(entry as object),
      redirect_uris: [site.callbackUrl],
    }));
    app = await startTestApp({ world: { ...world, apps }, clock: () => Date.now() + aheadMs });
    url = await app.listen();
    chromium = await openChromium();
    const browser = openBrowser(app);
    await browser.signIn('alice', PASSWORDS.alice);
    [alicesPage, strangersPage] = await Promise.all([openPage(), openPage()]);
    const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, url }));
    await alicesPage.context().addCookies(cookies);
  });
  afterAll(async () => {
    await closeWindows(chromium);
    await app?.close();
    await site?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    page = alicesPage;
    aheadMs = 0;
    site.session = {};
    site.isHeld = false;
  });

  const openPage = async () => {
    const opened = await (await chromium.newContext({ javaScriptEnabled: false })).newPage();
    opened.setDefaultTimeout(10_000);
    return opened;
  };
  const verify = (_token: string, _secret: string, profile: unknown, done: Done) => done(null, profile);
  const byOAuth1 = (callbackURL = site.callbackUrl, page = 'authorize') =>
    new OAuth1Strategy(
      {
        consumerKey: WEB_APP.api_key,
        consumerSecret: WEB_APP.api_secret,
        callbackURL,
        requestTokenURL: `${url}/oauth/request_token`,
        accessTokenURL: `${url}/oauth/access_token`,
        userAuthorizationURL: `${url}/oauth/${page}`,
        userProfileURL: `${url}/1.1/account/verify_credentials.json`,
      },
      verify,
    );
  const CONFIDENTIAL = {
    clientType: 'confidential',
    clientID: WEB_APP.client_id,
    clientSecret: WEB_APP.client_secret,
  } as const;
  const PUBLIC = { clientType: 'public', clientID: NATIVE_APP.client_id, clientSecret: '' } as const;
  const byOAuth2 = (client: typeof CONFIDENTIAL | typeof PUBLIC, callbackURL = site.callbackUrl) =>
    new OAuth2Strategy(
      {
        ...client,
        callbackURL,
        scope: ['tweet.read', 'offline.access'],
        authorizationURL: `${url}/i/oauth2/authorize`,
        tokenURL: `${url}/2/oauth2/token`,
        userProfileURL: `${url}/2/users/me?user.fields=profile_image_url,url`,
      },
      (token: string, refreshToken: string, profile: object, done: Done) =>
        done(null, { ...profile, token, refreshToken }),
    );

  const begin = () => page.goto(site.signInUrl);
  /** Enters a password in a browser without a session. */
  const signIn = async (username: keyof typeof PASSWORDS) => {
    page = strangersPage;
    await page.context().clearCookies();
    await begin();
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORDS[username]);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  };
  const press = (name: 'Allow' | 'Deny') => page.getByRole('button', { name }).click();
  const shown = async () => [
    await page.getByRole('heading', { level: 1 }).innerText(),
    await page.locator('p').first().innerText(),
  ];
  const profile = async () => {
    const [heading, text = ''] = await shown();
    expect([heading, text]).toEqual(['Signed in', expect.stringContaining('{')]);
    return JSON.parse(text) as Record<string, string>;
  };
  /** Follows the redirect back to the site, which only records it; returns the visited URL. */
  const heldVisit = async (): Promise<URL> => {
    site.isHeld = true;
    await begin();
    await press('Allow');
    expect(await shown()).toEqual(['Held', '']);
    site.isHeld = false;
    return site.lastVisit() ?? expect.fail('nobody came back');
  };

  describe('passport-twitter, by OAuth 1.0a,', () => {
    beforeEach(() => site.use(byOAuth1()));

    test('signs in, and the second time without consent', async () => {
      site.use(byOAuth1(site.callbackUrl, 'authenticate'));
      await signIn('bob');
      await press('Allow');
      expect(await profile()).toMatchObject({
        provider: 'twitter',
        id: USERS.bob,
        username: 'bob',
        displayName: 'Bob',
        _accessLevel: 'read-write-directmessages',
      });
      await begin();
      expect(await profile()).toMatchObject({ username: 'bob' });
    });

    test('receives a denial', async () => {
      await begin();
      await press('Deny');
      expect(await shown()).toEqual(['Not signed in', '']);
      expect(site.lastVisit()?.searchParams.get('denied')).toMatch(/^\w{20,}$/);
    });

    test('fails with a wrong verifier', async () => {
      const visit = await heldVisit();
      visit.searchParams.set('oauth_verifier', 'x'.repeat(32));
      await page.goto(visit.href);
      expect(await shown()).toEqual(['Error', expect.stringContaining('Could not authenticate you.')]);
    });

    test('fails with a used request token', async () => {
      const visit = await heldVisit();
      const remembered = structuredClone(site.session);
      await page.goto(visit.href);
      expect(await profile()).toMatchObject({ username: 'alice' });
      site.session = remembered;
      await page.goto(visit.href);
      expect(await shown()).toEqual(['Error', expect.stringContaining('Invalid or expired token.')]);
    });

    test('gets no request token for a callback of another origin', async () => {
      site.use(byOAuth1('https://evil.example/callback'));
      await begin();
      expect(await shown()).toEqual(['Error', expect.stringMatching(/Callback URL not approved/)]);
    });
  });

  describe('passport-twitter-oauth2, by OAuth 2.0,', () => {
    beforeEach(() => site.use(byOAuth2(CONFIDENTIAL)));

    test.each([
      ['confidential', CONFIDENTIAL],
      ['public', PUBLIC],
    ] as const)('signs in as a %s client', async (_, client) => {
      site.use(byOAuth2(client));
      await signIn('alice');
      await press('Allow');
      expect(await profile()).toMatchObject({ id: USERS.alice, username: 'alice', displayName: 'Alice' });
    });

    test('receives a denial', async () => {
      await begin();
      await press('Deny');
      expect(await shown()).toEqual(['Not signed in', '']);
      expect(site.lastVisit()?.searchParams.get('error')).toBe('access_denied');
    });

    test('fails with a code that is 30 seconds old', async () => {
      const visit = await heldVisit();
      aheadMs = 30_000;
      await page.goto(visit.href);
      expect(await shown()).toEqual(['Error', expect.stringContaining('authorization code was invalid')]);
    });

    test('fails with another verifier than that of the challenge', async () => {
      const visit = await heldVisit();
      Object.assign((site.session['oauth:twitter'] as { state: object }).state, {
        code_verifier: 'x'.repeat(43),
      });
      await page.goto(visit.href);
      expect(await shown()).toEqual(['Error', expect.stringContaining('code verifier did not match')]);
    });

    test('fails with a used code, whose tokens become invalid', async () => {
      const visit = await heldVisit();
      const remembered = structuredClone(site.session);
      await page.goto(visit.href);
      const { token } = await profile();
      expect((await app.get('/2/users/me', token)).status).toBe(200);
      site.session = remembered;
      await page.goto(visit.href);
      expect(await shown()).toEqual(['Error', expect.stringContaining('authorization code was invalid')]);
      expect((await app.get('/2/users/me', token)).status).toBe(401);
    });

    test('is not redirected to an unregistered address', async () => {
      site.use(byOAuth2(CONFIDENTIAL, 'https://evil.example/callback'));
      await begin();
      expect(new URL(page.url()).origin).toBe(url);
      expect(await page.getByRole('main').innerText()).toContain('not one that the app has registered');
    });
  });
});

type Done = (error: unknown, user: unknown) => void;
