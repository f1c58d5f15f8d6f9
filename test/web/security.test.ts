import { performance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SIGN_IN_LIMITS } from '../../src/auth/sign-in.js';
import { hashToken } from '../../src/services/secrets.js';
import { rawSql } from '../../src/storage/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { mainForm, openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { decide, requestToken } from './support/oauth1-flow.js';
import { allow, authorizeUrl, BASIC, formOf, NATIVE, redeem, VERIFIER } from './support/oauth2-flow.js';
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
  return (await browser.get('/')).text.includes('You are signed in');
}

describe('session fixation', () => {
  test('a session that somebody planted is not taken up', async () => {
    const browser = openBrowser(app);
    browser.cookies.set(SESSION, 'planted');
    browser.cookies.set(FORM, 'planted-too');
    await browser.signIn('alice', PASSWORDS.alice);
    expect(browser.cookies.get(SESSION)).toMatch(/^[\w-]{43}$/);
    expect(browser.cookies.has(FORM)).toBe(false);
  });

  test('signing in again begins another session and ends the one before', async () => {
    const browser = await signedIn();
    const before = browser.cookies.get(SESSION) ?? '';
    const page = await browser.get('/sign-in?again=1');
    await browser.submit(page, { username: 'bob', password: PASSWORDS.bob });
    expect(browser.cookies.get(SESSION)).not.toBe(before);
    const thief = openBrowser(app);
    thief.cookies.set(SESSION, before);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test('the cookie is for this host, not for scripts, and behind https for TLS alone', async () => {
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

  test('no secret is stored as it is: sessions and codes are known by their hashes', async () => {
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

describe('forms of other sites (CSRF)', () => {
  const stale = async (answer: Promise<BrowserAnswer>) => {
    const { status, text, location } = await answer;
    expect([status, location]).toEqual([403, undefined]);
    expect(text).toContain('out of date');
  };

  test('are refused without a token, with a made-up one and with that of another browser', async () => {
    const victim = await signedIn();
    const attacker = await signedIn('bob');
    const theirs = mainForm((await attacker.get(authorizeUrl())).text).fields['csrf'] ?? '';
    const url = authorizeUrl();
    await stale(victim.post(url, { decision: 'approve' }));
    await stale(victim.post(url, { decision: 'approve', csrf: '' }));
    await stale(victim.post(url, { decision: 'approve', csrf: 'x' }));
    await stale(victim.post(url, { decision: 'approve', csrf: theirs }));
    await stale(victim.post('/sign-out', {}));
    expect(await isSignedIn(victim)).toBe(true);
  });

  test('are refused with the token of the time before the sign-in', async () => {
    const browser = openBrowser(app);
    const { csrf = '' } = mainForm((await browser.get('/sign-in')).text).fields;
    await browser.signIn('alice', PASSWORDS.alice);
    await stale(browser.post(authorizeUrl(), { decision: 'approve', csrf }));
  });

  test('cannot sign a visitor in to an account of theirs', async () => {
    const victim = openBrowser(app);
    await stale(victim.post('/sign-in', { username: 'bob', password: PASSWORDS.bob }));
    await victim.get('/sign-in');
    await stale(victim.post('/sign-in', { username: 'bob', password: PASSWORDS.bob, csrf: 'x' }));
    expect(victim.cookies.has(SESSION)).toBe(false);
  });

  test('are refused as JSON, as plain text and in the query', async () => {
    const victim = await signedIn();
    const url = authorizeUrl();
    const { csrf = '' } = mainForm((await victim.get(url)).text).fields;
    const fields = { decision: 'approve', csrf };
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      await stale(victim.post(url, fields, { 'content-type': type }));
    }
    await stale(victim.post(`${url}&${formOf(fields)}`, {}));
  });

  test('cannot decide on an OAuth 1.0a request, which stays open', async () => {
    const victim = await signedIn();
    const token = await requestToken(app, Date.now());
    await stale(victim.post(`/oauth/authorize?oauth_token=${token.token}`, { decision: 'approve' }));
    expect((await decide(victim, token, 'approve')).location).toContain('oauth_verifier');
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
  ])('signing in does not lead to %j', async (next) => {
    const browser = openBrowser(app);
    expect((await browser.signIn('alice', PASSWORDS.alice, next)).location).toBe('/');
    expect((await browser.get(`/sign-in?${formOf({ next })}`)).location).toBe('/');
    const page = await browser.get('/');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await browser.post(`/sign-out?${formOf({ next })}`, { csrf })).location).toBe('/');
  });

  test('no error of an authorization request is sent to a URI that is not the app’s', async () => {
    const wrong = { redirect_uri: 'https://evil.example/', response_type: 'token', scope: 'nonsense' };
    expect((await openBrowser(app).get(authorizeUrl(wrong))).location).toBeUndefined();
  });
});

describe('what goes into headers', () => {
  test('cannot begin another header, wherever it comes from', async () => {
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
    'is never a redirect URI such as %j, which no app can register',
    async (uri) => {
      const { apps } = app.pipit.backend;
      const id = BigInt(WEB_APP.id) as Parameters<typeof apps.update>[0];
      await expect(apps.update(id, { redirectUris: [uri] })).rejects.toThrow('redirect URI');
    },
  );

  test('names the app’s own origin for its consent form alone, and never more than that', async () => {
    const browser = await signedIn();
    const policyOf = async (url: string) =>
      String((await browser.get(url)).headers['content-security-policy']);
    expect(await policyOf(authorizeUrl())).toContain(`form-action 'self' https://client.example`);
    expect(await policyOf(authorizeUrl(NATIVE))).toMatch(/form-action 'self' example-app:$/);
    expect(await policyOf('/')).toMatch(/form-action 'self'$/);
  });
});

describe('every page', () => {
  test('cannot be framed, sniffed or kept, and runs no script', async () => {
    const browser = await signedIn();
    const token = await requestToken(app, Date.now(), { oauth_callback: 'oob' });
    const pages = [
      await openBrowser(app).get('/sign-in'),
      await openBrowser(app).signIn('alice', 'wrong'),
      await browser.get('/'),
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
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+; /);
      expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(text).not.toMatch(/<script|\son\w+=|javascript:|style="/i);
      expect(text).toMatch(/<html lang="en">/);
      expect(text.match(/<h1>/g)).toHaveLength(1);
    }
  });
});

describe('guessing passwords', () => {
  test('takes the same time for a user who is not there as for a wrong password', async () => {
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
    // Without the hash it would be a hundredth.
    expect(ratio).toBeGreaterThan(0.3);
    expect(ratio).toBeLessThan(3);
  });

  test('stops after ten wrong ones, however many come at once', async () => {
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

  test('over many accounts stops for the address; another address is heard', async () => {
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
  test('are in no log and no answer when the database fails', async () => {
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

/** With the properties of errors, their causes and stacks. */
function inspectAll(value: unknown): string {
  if (value instanceof Error) return `${value.stack} ${inspectAll({ ...value, cause: value.cause })}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}=${inspectAll(member)}`)
    .join(' ');
}
