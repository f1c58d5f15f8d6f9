import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SIGN_IN_LIMITS } from '../../src/auth/sign-in.js';
import { SESSION_LIFETIME_MS } from '../../src/services/accounts/web-sessions.js';
import type { UserId } from '../../src/core/ids.js';
import { setStanding } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const DAY_MS = 24 * 3_600_000;

let nowMs: number;
let app: TestApp;
let browser: Browser;

beforeEach(async () => {
  nowMs = Date.UTC(2022, 9, 7);
  app = await startTestApp({ world: webWorld(), clock: () => nowMs });
  onTestFinished(() => app.close());
  browser = openBrowser(app);
});

describe('signing in', () => {
  test('accepts the username in any case, with or without @, and redirects to the requested page', async () => {
    const answer = await browser.signIn('@Alice', PASSWORDS.alice, '/?a=b');
    expect([answer.status, answer.location]).toEqual([303, '/?a=b']);
    expect((await browser.get('/home')).text).toContain('@alice');
  });

  test.each([
    ['a wrong password', 'alice', 'wrong'],
    ['no password at all', 'alice', ''],
    ['an unknown user', 'nobody_here', 'wrong'],
    ['a user without a password', 'carol', ''],
    ['an invalid name', '<script>', 'x'],
  ])('refuses %s with the same message', async (_, username, password) => {
    const answer = await browser.signIn(username, password);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('The username or the password is wrong.');
    expect(answer.text).toContain('<title>Error: Sign in · Pipit</title>');
    expect(answer.text).not.toContain('<script>');
    expect(browser.cookies.has('pipit_session')).toBe(false);
  });

  test('refuses a suspended user, with the reason only for the correct password', async () => {
    await app.pipit.backend.engine.tx('suspend', (tx) =>
      setStanding(tx, BigInt(USERS.bob) as UserId, 'suspended'),
    );
    expect((await browser.signIn('bob', 'wrong')).text).toContain('is wrong');
    expect((await browser.signIn('bob', PASSWORDS.bob)).text).toContain('suspended');
    expect(browser.cookies.has('pipit_session')).toBe(false);
  });

  test('ends at once for a user suspended later', async () => {
    await browser.signIn('bob', PASSWORDS.bob);
    await app.pipit.backend.engine.tx('suspend', (tx) =>
      setStanding(tx, BigInt(USERS.bob) as UserId, 'suspended'),
    );
    expect((await browser.get('/home')).text).not.toContain('@bob');
  });

  test('is repeated for a signed-in user only on request', async () => {
    await browser.signIn('alice', PASSWORDS.alice);
    expect((await browser.get('/sign-in?next=/x')).location).toBe('/x');
    expect((await browser.get('/sign-in?next=/x&again=1&username=bob')).text).toContain('value="bob"');
  });

  test('is limited by account and address, even for the correct password, until the window ends', async () => {
    for (let tries = 0; tries < SIGN_IN_LIMITS.accountAndAddress; tries += 1) {
      expect((await browser.signIn('alice', `wrong ${tries}`)).status).toBe(403);
    }
    const refused = await browser.signIn('ALICE', PASSWORDS.alice);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('900');
    expect(refused.text).toContain('15 minutes');
    expect((await browser.signIn('bob', PASSWORDS.bob)).status).toBe(303);
    nowMs += SIGN_IN_LIMITS.windowSeconds * 1000;
    expect((await openBrowser(app).signIn('alice', PASSWORDS.alice)).status).toBe(303);
  });

  test('counts wrong passwords only', async () => {
    for (let tries = 0; tries < SIGN_IN_LIMITS.accountAndAddress + 2; tries += 1) {
      expect((await openBrowser(app).signIn('alice', PASSWORDS.alice)).status).toBe(303);
    }
  });
});

describe('a session', () => {
  test('lasts 30 days from its last use', async () => {
    await browser.signIn('alice', PASSWORDS.alice);
    nowMs += 29 * DAY_MS;
    const renewed = await browser.get('/home');
    expect(renewed.text).toContain('@alice');
    expect(String(renewed.headers['set-cookie'])).toContain(`Max-Age=${SESSION_LIFETIME_MS / 1000}`);
    nowMs += 29 * DAY_MS;
    expect((await browser.get('/home')).text).toContain('@alice');
    nowMs += 30 * DAY_MS;
    expect((await browser.get('/home')).text).not.toContain('@alice');
  });

  test('is renewed at most once a day', async () => {
    await browser.signIn('alice', PASSWORDS.alice);
    nowMs += DAY_MS - 1;
    expect((await browser.get('/home')).headers['set-cookie']).toBeUndefined();
  });

  test('ends on sign-out, on the server too', async () => {
    await browser.signIn('alice', PASSWORDS.alice);
    const kept = new Map(browser.cookies);
    const start = await browser.get('/home');
    const csrf = /name="csrf" value="([^"]+)"/.exec(start.text)?.[1] ?? '';
    expect((await browser.post('/sign-out', { csrf })).location).toBe('/');
    expect(browser.cookies.has('pipit_session')).toBe(false);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.get('/home')).text).not.toContain('@alice');
  });

  test('can be ended in all browsers except one', async () => {
    const { createWebSessionService } = await import('../../src/services/accounts/web-sessions.js');
    const sessions = createWebSessionService(app.pipit.backend);
    const other = openBrowser(app);
    await browser.signIn('alice', PASSWORDS.alice);
    await other.signIn('alice', PASSWORDS.alice);
    const alice = BigInt(USERS.alice) as UserId;
    const mine = await sessions.find(browser.cookies.get('pipit_session') ?? '');
    expect(await sessions.list(alice)).toHaveLength(2);
    await sessions.endAll(alice, mine?.session.tokenHash);
    expect((await browser.get('/home')).text).toContain('@alice');
    expect((await other.get('/home')).text).not.toContain('@alice');
    expect(await sessions.endByHash(BigInt(USERS.bob) as UserId, mine?.session.tokenHash ?? '')).toBe(false);
  });
});
