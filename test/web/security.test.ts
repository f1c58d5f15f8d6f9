import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SIGN_IN_LIMITS } from '../../src/auth/sign-in.js';
import { hashToken } from '../../src/services/secrets/secrets.js';
import { rawSql } from '../../src/database/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { mainForm, openBrowser, type Browser } from './support/browser.js';
import { decide, exchange, postSigned, requestToken, verifierOf } from './support/oauth1-flow.js';
import {
  allow,
  answerOf,
  authorizeUrl,
  BASIC,
  basic,
  formOf,
  NATIVE,
  postForm,
  redeem,
  VERIFIER,
} from './support/oauth2-flow.js';
import { csrfOf, makeOperator, secretOf } from './support/pages.js';
import { CALLBACK, PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const SESSION = 'pipit_session';
const FORM = 'pipit_form';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
});
afterAll(() => app.close());
afterEach(() => void vi.restoreAllMocks());

async function signedIn(username: keyof typeof PASSWORDS = 'alice'): Promise<Browser> {
  const browser = openBrowser(app);
  await browser.signIn(username, PASSWORDS[username]);
  return browser;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/')).location === '/home';
}

describe('session fixation', () => {
  test('a given session cookie is not accepted', async () => {
    const browser = openBrowser(app);
    browser.cookies.set(SESSION, 'planted');
    browser.cookies.set(FORM, 'planted-too');
    await browser.signIn('alice', PASSWORDS.alice);
    expect(browser.cookies.get(SESSION)).toMatch(/^[\w-]{43}$/);
    expect(browser.cookies.has(FORM)).toBe(false);
  });

  test('signing in again starts a new session and ends the previous one', async () => {
    const browser = await signedIn();
    const before = browser.cookies.get(SESSION) ?? '';
    const page = await browser.get('/sign-in?again=1');
    await browser.submit(page, { username: 'bob', password: PASSWORDS.bob });
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    const attacker = openBrowser(app);
    attacker.cookies.set(SESSION, before);
    expect(await isSignedIn(attacker)).toBe(false);
  });

  test('the cookie is host-only, HttpOnly, and Secure with an https base URL', async () => {
    const answer = await openBrowser(app).signIn('alice', PASSWORDS.alice);
    const [line = ''] = [answer.headers['set-cookie'] ?? []].flat();
    expect(line.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ]);
    const behindTls = await startTestApp({ world: webWorld(), flags: { baseUrl: 'https://pipit.example' } });
    onTestFinished(() => behindTls.close());
    const secure = await openBrowser(behindTls).signIn('alice', PASSWORDS.alice);
    const [secureLine = ''] = [secure.headers['set-cookie'] ?? []].flat();
    expect(secureLine).toMatch(/^__Host-pipit_session=/);
    expect(secureLine.split('; ')).toContain('Secure');
  });

  test('sessions and codes are stored as hashes only', async () => {
    const browser = await signedIn();
    const secret = browser.cookies.get(SESSION) ?? '';
    const code = await allow(browser);
    const rows = [
      ...(await app.pipit.backend.engine.all(rawSql('SELECT * FROM web_sessions'))),
      ...(await app.pipit.backend.engine.all(rawSql('SELECT * FROM authorization_codes'))),
    ];
    const stored = rows.flatMap((row) => Object.values(row).map(String));
    expect(stored).toContain(hashToken(secret));
    expect(stored).toContain(hashToken(code));
    for (const each of [secret, code]) expect(stored.join(' ')).not.toContain(each);
  });
});

describe('open redirects', () => {
  test.each([
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example`,
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
  ])('signing in does not redirect to %j', async (next) => {
    const browser = openBrowser(app);
    expect((await browser.signIn('alice', PASSWORDS.alice, next)).location).toBe('/');
    expect((await browser.get(`/sign-in?${formOf({ next })}`)).location).toBe('/');
    const page = await browser.get('/home');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await browser.post(`/sign-out?${formOf({ next })}`, { csrf })).location).toBe('/');
  });

  test('errors of an authorization request are not sent to an unregistered URI', async () => {
    const wrong = { redirect_uri: 'https://evil.example/', response_type: 'token', scope: 'nonsense' };
    expect((await openBrowser(app).get(authorizeUrl(wrong))).location).toBeUndefined();
  });
});

describe('response headers', () => {
  test('cannot be injected', async () => {
    const browser = await signedIn();
    const state = 'a\r\nset-cookie: b=c\r\n\r\n<script>';
    const answer = await browser.submit(await browser.get(authorizeUrl({ state })), {}, 'deny');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(new URL(answer.location ?? '').searchParams.get('state')).toBe(state);
    const next = await browser.get(`/sign-in?${formOf({ next: '/a\r\nset-cookie: b=c' })}`);
    expect(next.location).toBe('/aset-cookie:%20b=c');
    expect(next.headers).not.toHaveProperty('set-cookie');
  });

  test.each(['https://a.example/\r\nx: y', 'https://a.example/ü', 'https://a.example/ b'])(
    'never redirect to a URI such as %j, which cannot be registered',
    async (uri) => {
      const { apps } = app.pipit.backend;
      const id = BigInt(WEB_APP.id) as Parameters<typeof apps.update>[0];
      await expect(apps.update(id, { redirectUris: [uri] })).rejects.toThrow('redirect URI');
    },
  );

  test('allow the app’s own origin in the policy of its consent form only', async () => {
    const browser = await signedIn();
    const policyOf = async (url: string) =>
      String((await browser.get(url)).headers['content-security-policy']);
    expect(await policyOf(authorizeUrl())).toContain(`form-action 'self' https://client.example`);
    expect(await policyOf(authorizeUrl(NATIVE))).toMatch(/form-action 'self' example-app:$/);
    expect(await policyOf('/home')).toMatch(/form-action 'self'$/);
  });
});

describe('every page', () => {
  test('has headers against framing, sniffing and caching, and no script in its markup', async () => {
    const browser = await signedIn();
    const token = await requestToken(app, Date.now(), { oauth_callback: 'oob' });
    const pages = [
      await openBrowser(app).get('/sign-in'),
      await openBrowser(app).signIn('alice', 'wrong'),
      await browser.get('/home'),
      await browser.get(authorizeUrl()),
      await browser.get(authorizeUrl({ client_id: 'nobody' })),
      await browser.get('/oauth/authorize?oauth_token=unknown'),
      await browser.post('/sign-out', {}),
      await decide(browser, token, 'approve'),
    ];
    for (const { headers, text } of pages) {
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; /,
      );
      expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(text).not.toMatch(/<script(?! src="\/assets\/)|\son\w+=|javascript:|style="/i);
      expect(text).toMatch(/<html lang="en">/);
      expect(text.match(/<h1>/g)).toHaveLength(1);
    }
  });
});

describe('the Host header', () => {
  const EVIL = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };

  test('is not used in links', async () => {
    await makeOperator(app, 'alice');
    const operator = await signedIn();
    const csrf = csrfOf((await operator.get('/operator-desk')).text);
    for (const [path, fields] of [
      [`/operator-desk/users/${USERS.bob}/recovery`, { by: 'link' }],
      ['/operator-desk/invitations', { note: '' }],
    ] as const) {
      const page = await operator.post(path, { csrf, ...fields }, EVIL);
      expect(secretOf(page, 'Link')).toMatch(/^http:\/\/pipit\.test\//);
      expect(page.text).not.toContain('evil.example');
    }
  });

  test('is not used in redirects and pages', async () => {
    const stranger = openBrowser(app);
    expect((await stranger.get('/my-account', EVIL)).location).toBe('/sign-in?next=%2Fmy-account');
    for (const path of ['/', '/sign-in', '/docs', '/2/openapi.json']) {
      expect((await stranger.get(path, EVIL)).text, path).not.toContain('evil.example');
    }
  });
});

describe('guessing passwords', () => {
  test('takes the same time for an unknown user as for a wrong password', async () => {
    const slow = await startTestApp({ world: webWorld() });
    onTestFinished(() => slow.close());
    const measure = async (username: string) => {
      const browser = openBrowser(slow);
      const page = await browser.get('/sign-in');
      const startMs = performance.now();
      await browser.submit(page, { username, password: 'a wrong one' });
      return performance.now() - startMs;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      known.push(await measure('alice'));
      unknown.push(await measure('nobody_here'), await measure('carol'));
    }
    const ratio = median(unknown) / median(known);
    // Without the hash it would take a hundredth of the time.
    expect(ratio).toBeGreaterThan(0.3);
    expect(ratio).toBeLessThan(3);
  });

  test('is blocked after ten wrong ones, also when concurrent', async () => {
    const fresh = await startTestApp({ world: webWorld() });
    onTestFinished(() => fresh.close());
    const browser = openBrowser(fresh);
    const page = await browser.get('/sign-in');
    const guesses = Array.from({ length: 24 }, (_, guess) =>
      browser.submit(page, { username: 'alice', password: `guess ${guess}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(SIGN_IN_LIMITS.accountAndAddress);
    expect(statuses.filter((status) => status === 429)).toHaveLength(24 - SIGN_IN_LIMITS.accountAndAddress);
    expect((await browser.submit(page, { username: 'alice', password: PASSWORDS.alice })).status).toBe(429);
  });

  test('is not unblocked by forged addresses', async () => {
    const fresh = await startTestApp({ world: webWorld() });
    onTestFinished(() => fresh.close());
    const browser = openBrowser(fresh);
    const { csrf = '' } = mainForm((await browser.get('/sign-in')).text).fields;
    const guess = (n: number) =>
      browser.post(
        '/sign-in',
        { csrf, username: 'alice', password: 'x' },
        { 'x-forwarded-for': `192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}`, forwarded: `for=192.0.2.${n}` },
      );
    const guesses = Array.from({ length: SIGN_IN_LIMITS.accountAndAddress }, (_, n) => guess(n));
    expect((await Promise.all(guesses)).every(({ status }) => status === 403)).toBe(true);
    expect((await guess(99)).status).toBe(429);
  });

  test('for many accounts is blocked per address', async () => {
    const fresh = await startTestApp({ world: webWorld(), flags: { trustedProxy: ['127.0.0.1'] } });
    onTestFinished(() => fresh.close());
    const browser = openBrowser(fresh);
    const { csrf = '' } = mainForm((await browser.get('/sign-in')).text).fields;
    const guess = (username: string, address: string) =>
      browser.post('/sign-in', { csrf, username, password: 'x' }, { 'x-forwarded-for': address });
    const guesses = Array.from({ length: SIGN_IN_LIMITS.address }, (_, n) => guess(`user${n}`, '192.0.2.1'));
    expect((await Promise.all(guesses)).every(({ status }) => status === 403)).toBe(true);
    expect((await guess('someone', '192.0.2.1')).status).toBe(429);
    expect((await guess('someone', '203.0.113.9, 192.0.2.1')).status).toBe(429);
    expect((await guess('someone', '192.0.2.2')).status).toBe(403);
  });
});

describe('secrets', () => {
  test('are in no log and no response when the database fails', async () => {
    const logged: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
      logged.push(parts.map((part) => inspectAll(part)).join(' '));
    });
    const failing = await startTestApp({ world: webWorld() });
    const browser = openBrowser(failing);
    const page = await browser.get('/sign-in');
    await browser.submit(page, { username: 'alice', password: PASSWORDS.alice });
    const session = browser.cookies.get(SESSION) ?? '';
    const code = await allow(browser);
    const tokens = (await redeem(failing, code)).body;
    await failing.pipit.backend.engine.close();

    const secrets = [
      PASSWORDS.alice,
      session,
      code,
      tokens.access_token,
      tokens.refresh_token,
      VERIFIER,
      BASIC,
    ];
    const answers = [
      await browser.submit(page, { username: 'alice', password: PASSWORDS.alice }),
      await browser.get(authorizeUrl({ state: code })),
      await redeem(failing, code),
      await failing.get('/2/users/me', tokens.access_token),
      await failing.request({ method: 'POST', url: '/oauth2/token', headers: { authorization: BASIC } }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      const text = 'text' in answer ? answer.text : JSON.stringify(answer.body);
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/SELECT|\.ts:|at Object/);
    }
    expect(logged).toHaveLength(answers.length);
    for (const secret of secrets) expect(logged.join('\n')).not.toContain(secret);
    await failing.close().catch(() => undefined);
  });

  test('are never cached', async () => {
    const browser = await signedIn();
    const nowMs = Date.now();
    const oauth1 = await requestToken(app, nowMs);
    const consent = await browser.get(`/oauth/authorize?oauth_token=${oauth1.token}`);
    const verified = await browser.submit(consent, {}, 'approve');
    const allowed = await browser.submit(await browser.get(authorizeUrl()), {}, 'approve');
    const csrf = csrfOf((await browser.get('/my-apps')).text);
    const keys = basic(WEB_APP.api_key, WEB_APP.api_secret);
    const answers = {
      verified,
      allowed,
      pin: await decide(browser, await requestToken(app, nowMs, { oauth_callback: 'oob' }), 'approve'),
      requestToken: await postSigned(app, {
        url: '/oauth/request_token',
        extra: { oauth_callback: CALLBACK },
        nowMs,
      }),
      accessToken: await exchange(app, oauth1, verifierOf(verified), nowMs),
      tokens: await redeem(app, answerOf(allowed).get('code') ?? ''),
      bearer: await postForm(app, '/oauth2/token', { grant_type: 'client_credentials' }, keys),
      ownToken: await browser.post(`/my-apps/${WEB_APP.id}/tokens`, { csrf }),
    };
    for (const [name, { status, headers }] of Object.entries(answers)) {
      expect([name, status]).toEqual([name, name === 'verified' || name === 'allowed' ? 303 : 200]);
      expect(headers['cache-control'], name).toContain('no-store');
    }
    expect(answers.tokens.headers['pragma']).toBe('no-cache');
    for (const { headers } of [verified, allowed, answers.pin]) {
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });

  test('are not repeated by error pages', async () => {
    const { text } = await openBrowser(app).signIn('alice', 'a very secret guess');
    expect(text).not.toContain('a very secret guess');
    const answer = await redeem(app, 'a-secret-code', { redirect_uri: CALLBACK });
    expect(JSON.stringify(answer.body)).not.toContain('a-secret-code');
  });
});

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Inspects an error with its properties, causes and stacks. */
function inspectAll(value: unknown): string {
  if (value instanceof Error) return `${value.stack} ${inspectAll({ ...value, cause: value.cause })}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}=${inspectAll(member)}`)
    .join(' ');
}
