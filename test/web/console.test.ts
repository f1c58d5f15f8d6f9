import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MAX_APPS_OF_ONE } from '../../src/services/apps/own-apps.js';
import { hashToken } from '../../src/services/secrets/secrets.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { actionsOf, expectValidPage, secretOf, send, textOf } from './support/pages.js';
import { basic, postForm } from './support/oauth2-flow.js';
import { postSigned } from './support/oauth1-flow.js';
import { signHeader } from '../auth/support/sign.js';
import { TEST_URL } from '../support/app.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

let nowMs: number;
let app: TestApp;
let browser: Browser;

beforeEach(async () => {
  nowMs = Date.UTC(2022, 9, 7, 12);
  app = await startTestApp({ world: webWorld(), clock: () => nowMs, flags: { rateLimits: 'standard' } });
  onTestFinished(() => app.close());
  browser = openBrowser(app);
  await browser.signIn('bob', PASSWORDS.bob);
});

const FORM = {
  name: 'Feeder',
  permissions: 'read',
  type: 'confidential',
  redirect_uris: 'https://feeder.example/back\r\n\r\n http://127.0.0.1:9/back ',
} as const;

/** Returns the keys shown on a page. */
function keysOf(page: BrowserAnswer) {
  return {
    apiKey: secretOf(page, 'API key'),
    apiSecret: secretOf(page, 'API secret'),
    bearer: secretOf(page, 'Bearer token'),
    clientId: secretOf(page, 'Client ID'),
    clientSecret: secretOf(page, 'Client secret'),
  };
}

async function create(changes: Record<string, string> = {}) {
  const page = await send(browser, '/my-apps/new', { ...FORM, ...changes });
  const path = /href="(\/my-apps\/[0-9]+)\/keys"/.exec(page.text)?.[1] ?? '';
  return { page, path, keys: keysOf(page) };
}

/** Creates a post as the owner with an OAuth 1.0a token. */
async function post(keys: { apiKey: string; apiSecret: string }, token: string, tokenSecret: string) {
  const url = '/2/tweets';
  const authorization = signHeader({
    method: 'POST',
    url: TEST_URL + url,
    consumerKey: keys.apiKey,
    consumerSecret: keys.apiSecret,
    token,
    tokenSecret,
    timestampSeconds: Math.floor(nowMs / 1000),
    nonce: `${Math.random()}`,
  });
  const payload = JSON.stringify({ text: `From my bot ${Math.random()}` });
  const headers = { authorization, 'content-type': 'application/json' };
  return app.request({ method: 'POST', url, headers, payload });
}

describe('an app', () => {
  test('is created with working keys, shown once', async () => {
    const { page, path, keys } = await create();
    expect(page.status).toBe(200);
    expectValidPage(page, '/my-apps/new');
    expect((await app.get('/2/users/by/username/alice', keys.bearer)).status).toBe(200);
    const granted = await postForm(
      app,
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      basic(keys.apiKey, keys.apiSecret),
    );
    expect(granted.body.access_token).toBe(keys.bearer);
    const shown = await browser.get(path);
    expectValidPage(shown, path);
    expect(textOf(shown)).toContain('Feeder');
    expect(textOf(shown)).toContain('Elevated');
    for (const secret of [keys.apiSecret, keys.bearer, keys.clientSecret]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(shown.text).not.toContain(secret);
    }
    expect(textOf(await browser.get('/my-apps'))).toContain('Feeder');
  });

  test('of a public client has no client secret, and gets one when it becomes confidential', async () => {
    const { path, keys } = await create({ type: 'public' });
    expect(keys.clientSecret).toBe('');
    const page = await send(browser, `${path}/settings`, FORM);
    expect(secretOf(page, 'Client secret').length).toBeGreaterThan(20);
    const again = await send(browser, `${path}/settings`, FORM);
    expect(again.location).toBe(`${path}/settings?done=saved`);
    await send(browser, `${path}/settings`, { ...FORM, type: 'public' });
    expect((await browser.get(`${path}/settings`)).text).toMatch(/value="public" checked/);
  });

  test.each([
    ['no name', { name: '' }, 'must have 1 to 100 characters'],
    ['a name of 101 characters', { name: '🐦'.repeat(101) }, 'must have 1 to 100 characters'],
    ['a name that breaks the line', { name: 'Good\nOther' }, 'must not contain control'],
    ['an invisible name', { name: '\u3164' }, '1 to 100'],
    ['a name like another', { name: 'Bi\u200brds' }, 'invisible characters'],
    ['a name that turns the line round', { name: 'Good \u202e' }, 'must not contain control'],
    ['a redirect URI that browsers read otherwise', { redirect_uris: 'https:x.example/' }, 'absolute URI'],
    ['a redirect URI with a backslash', { redirect_uris: 'https://x.example\\@y.example/' }, 'absolute URI'],
    ['a redirect URI within the browser', { redirect_uris: 'about:blank' }, 'absolute URI'],
    ['a redirect URI with a fragment', { redirect_uris: 'https://x.example/#a' }, 'absolute URI'],
    ['a redirect URI that runs script', { redirect_uris: 'javascript:alert(1)' }, 'absolute URI'],
    [
      'eleven redirect URIs',
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://x.example/${n}`).join('\n') },
      'at most 10',
    ],
  ])('is neither created nor changed with %s', async (_, change, text) => {
    const refused = await send(browser, '/my-apps/new', { ...FORM, ...change });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain(text);
    const { path } = await create();
    const changed = await send(browser, `${path}/settings`, { ...FORM, ...change });
    expect(changed.status).toBe(400);
    expect(textOf(changed)).toContain(text);
    expect(textOf(await browser.get('/my-apps'))).toMatch(/Feeder/);
  });

  test('reports every invalid field at once', async () => {
    const refused = await send(browser, '/my-apps/new', {
      ...FORM,
      name: '',
      description: 'two\nlines',
      website: 'example',
      redirect_uris: '/callback',
    });
    expect(refused.text.match(/class="fault"/g)).toHaveLength(4);
  });

  test('cannot set its own access level or track', async () => {
    const { path } = await create({ access_level: 'elevated', track: 'academic_research' });
    await send(browser, `${path}/settings`, { ...FORM, track: 'academic_research' });
    expect(textOf(await browser.get(path))).toMatch(/Track Standard/);
  });

  test('is deleted with its tokens', async () => {
    const { path, keys } = await create();
    expect((await send(browser, `${path}/settings`, {}, `${path}/delete`)).location).toBe(
      '/my-apps?done=deleted',
    );
    expect((await browser.get(path)).status).toBe(404);
    expect((await app.get('/2/users/by/username/alice', keys.bearer)).status).toBe(401);
  });

  test('gets new keys, and the old ones become invalid at once', async () => {
    const { path, keys } = await create();
    const fresh = keysOf(await send(browser, `${path}/keys`, {}));
    expect(fresh.clientId).toBe(keys.clientId);
    for (const key of ['apiKey', 'apiSecret', 'bearer', 'clientSecret'] as const) {
      expect(fresh[key]).not.toBe('');
      expect(fresh[key]).not.toBe(keys[key]);
    }
    expect((await app.get('/2/users/by/username/alice', keys.bearer)).status).toBe(401);
    expect((await app.get('/2/users/by/username/alice', fresh.bearer)).status).toBe(200);
  });

  test(`is refused beyond the limit of ${MAX_APPS_OF_ONE}, also with concurrent requests`, async () => {
    const answers = await Promise.all(Array.from({ length: MAX_APPS_OF_ONE + 2 }, () => create()));
    // bob has one app.
    expect(answers.filter(({ page }) => page.status === 200)).toHaveLength(MAX_APPS_OF_ONE - 1);
    expect(answers.filter(({ page }) => page.status === 403)).toHaveLength(3);
  });
});

test('raising permissions requires new tokens, and existing tokens keep the old permission (docs/api/authentication.md#permissions)', async () => {
  const { path, keys } = await create();
  const issue = async () => {
    const page = await send(browser, `${path}/keys`, { kind: 'oauth1' }, `${path}/tokens`);
    expectValidPage(page, path);
    return [secretOf(page, 'Access token'), secretOf(page, 'Access token secret')] as const;
  };
  const old = await issue();
  expect(old[0]).toMatch(new RegExp(`^${USERS.bob}-`));
  expect((await post(keys, ...old)).status).toBe(403);
  const raised = await send(browser, `${path}/settings`, { ...FORM, permissions: 'read_write' });
  expect(raised.location).toBe(`${path}/settings?done=raised`);
  expect(textOf(await browser.get(raised.location ?? ''))).toContain('keep their old permissions');
  expect((await post(keys, ...old)).body.type).toMatch(/oauth1-permissions$/);
  const fresh = await issue();
  expect((await post(keys, ...fresh)).status).toBe(201);
  const lowered = await send(browser, `${path}/settings`, FORM);
  expect(lowered.location).toBe(`${path}/settings?done=saved`);
  expect((await post(keys, ...fresh)).status).toBe(403);
});

describe('tokens of the owner', () => {
  const revokePaths = (page: BrowserAnswer) => actionsOf(page).filter((action) => action.endsWith('/revoke'));

  test('of OAuth 2.0 have the scopes of the permission, work at once, and are refreshed and revoked', async () => {
    const { path, keys } = await create({ permissions: 'read_write' });
    const made = await send(browser, `${path}/keys`, { kind: 'oauth2' }, `${path}/tokens`);
    expectValidPage(made, 'token');
    const token = secretOf(made, 'OAuth 2.0 access token');
    expect((await app.get('/2/users/me', token)).body.data.username).toBe('bob');
    expect((await app.post('/2/tweets', token, { text: 'From the console' })).status).toBe(201);
    expect((await app.get('/2/dm_events', token)).status).toBe(403);
    const refreshed = await postForm(
      app,
      '/2/oauth2/token',
      { grant_type: 'refresh_token', refresh_token: secretOf(made, 'OAuth 2.0 refresh token') },
      basic(keys.clientId, keys.clientSecret),
    );
    expect(refreshed.status).toBe(200);
    const shown = await browser.get(`${path}/keys`);
    expectValidPage(shown, 'keys');
    expect(shown.text).not.toContain(token);
    const forms = revokePaths(shown);
    expect(forms).toHaveLength(1);
    for (const form of forms)
      expect((await send(browser, `${path}/keys`, {}, form)).location).toBe(`${path}/keys?done=revoked`);
    expect((await app.get('/2/users/me', token)).status).toBe(401);
    expect((await app.get('/2/users/me', refreshed.body.access_token)).status).toBe(401);
    expect(textOf(await browser.get(`${path}/keys`))).toContain('You have no tokens for this app yet.');
  });

  test('of OAuth 1.0a are revoked one by one, by their owner only', async () => {
    const { path, keys } = await create({ permissions: 'read_write' });
    const issue = async () => {
      const page = await send(browser, `${path}/keys`, { kind: 'oauth1' }, `${path}/tokens`);
      return [secretOf(page, 'Access token'), secretOf(page, 'Access token secret')] as const;
    };
    const [kept, revoked] = [await issue(), await issue()];
    const page = await browser.get(`${path}/keys`);
    expect(page.text).not.toContain(kept[0]);
    const form = revokePaths(page).find((action) => action.includes(hashToken(revoked[0]))) ?? '';
    const other = openBrowser(app);
    await other.signIn('alice', PASSWORDS.alice);
    expect((await send(other, '/my-apps', {}, form)).status).toBe(404);
    expect((await browser.post(form, { csrf: 'x' })).status).toBe(403);
    await send(browser, `${path}/keys`, {}, form);
    expect((await send(browser, `${path}/keys`, {}, form)).status).toBe(404);
    expect((await post(keys, ...revoked)).status).toBe(401);
    expect((await post(keys, ...kept)).status).toBe(201);
  });
});

test('credentials are a file of variables, which is a link of the page that shows them', async () => {
  const { page, path, keys } = await create();
  const fileOf = ({ text }: BrowserAnswer) =>
    decodeURIComponent(
      /download="pipit.env"\s+href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(text)?.[1] ?? '',
    );
  expect(fileOf(page).split('\n')).toEqual([
    `BASE_URL=${TEST_URL}`,
    `CONSUMER_KEY=${keys.apiKey}`,
    `CONSUMER_SECRET=${keys.apiSecret}`,
    `BEARER_TOKEN=${keys.bearer}`,
    `CLIENT_ID=${keys.clientId}`,
    `CLIENT_SECRET=${keys.clientSecret}`,
    '',
  ]);
  const token = await send(browser, `${path}/keys`, { kind: 'oauth1' }, `${path}/tokens`);
  expect(fileOf(token)).toContain(`ACCESS_TOKEN_SECRET=${secretOf(token, 'Access token secret')}\n`);
});

test('every tab of a new app is valid and says what to do first', async () => {
  const { path } = await create();
  for (const [tab, text] of [
    ['', 'The app has sent no requests yet.'],
    ['/keys', 'You have no tokens for this app yet.'],
    ['/settings', 'Redirect URIs'],
    ['/webhooks', 'The app has no webhooks'],
    ['/requests', 'Record for an hour'],
    ['/usage', 'None in 30 days.'],
  ] as const) {
    const page = await browser.get(path + tab);
    expectValidPage(page, path + tab);
    expect(textOf(page)).toContain(text);
    expect(page.text).toContain(`href="${path}${tab}" aria-current="page"`);
  }
});

test('redirect URIs are entered one per line and must match exactly', async () => {
  const { path, keys } = await create();
  expect((await browser.get(`${path}/settings`)).text).toContain(
    '>\nhttps://feeder.example/back\nhttp://127.0.0.1:9/back<',
  );
  const ask = (callback: string) =>
    postSigned(app, {
      url: '/oauth/request_token',
      keys: { consumerKey: keys.apiKey, consumerSecret: keys.apiSecret },
      extra: { oauth_callback: callback },
      nowMs,
    });
  expect((await ask('http://127.0.0.1:9/back')).status).toBe(200);
  expect((await ask('http://127.0.0.1:9/back/')).status).toBe(403);
});

describe('usage', () => {
  beforeEach(async () => {
    browser = openBrowser(app);
    await browser.signIn('alice', PASSWORDS.alice);
  });
  const view = async () => browser.get(`/my-apps/${WEB_APP.id}/usage`);
  const read = () => app.get(`/2/users/${USERS.alice}/tweets`, WEB_APP.bearer_token);

  test('shows posts toward the cap, and daily posts and requests as plots and numbers', async () => {
    expect(textOf(await view())).toContain('0 of 2 000 000 posts');
    expect(textOf(await view())).toContain('None in 30 days.');
    expect((await read()).body.data.map(({ id }: { id: string }) => id)).toEqual([POSTS.hello]);
    await read();
    nowMs += 24 * 3_600_000;
    await read();
    expect((await app.get('/2/tweets/search/all?query=x', WEB_APP.bearer_token)).status).toBe(403);
    nowMs += 24 * 3_600_000;
    expect((await app.get('/2/users/by/username/nobody', WEB_APP.bearer_token)).status).toBe(200);
    const page = await view();
    expectValidPage(page, 'usage');
    expect(textOf(page)).toContain('2 of 2 000 000 posts');
    expect(page.text.match(/<rect\s+class="day"/g)).toHaveLength(5);
    expect(page.text).toContain('Posts by day, 30 days: 2 in total');
    expect(page.text).toContain('Requests by day, 30 days: 5 in total');
    expect(textOf(page)).toMatch(/2022-10-07 1 2 2022-10-08 1 2 2022-10-09 0 1/);
  });

  test('shows the remaining calls of limits in use, per app and owner', async () => {
    expect(textOf(await view())).toContain('No limited endpoint was used');
    const before = await app.get('/2/users/by/username/alice', WEB_APP.bearer_token);
    const left = Number(before.headers['x-rate-limit-remaining']);
    const page = textOf(await view());
    expect(page).toContain('GET /2/users/by/username/{username} with the app’s own token');
    expect(page).toContain(` ${left} of ${left + 1} left, resets in 15 min `);
    await app.get('/2/users/me', await app.as('alice'));
    expect(textOf(await view())).toMatch(/GET \/2\/users\/me for you \d+ of \d+/);
    nowMs += 15 * 60_000;
    expect(textOf(await view())).toContain('No limited endpoint was used');
  });
});
