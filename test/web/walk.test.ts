import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { actionsOf, csrfOf, expectValidPage, linksOf, makeOperator, send } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

let app: TestApp;
let operator: Browser;
/** Every page that can be reached by links, by path. */
let pages: Map<string, BrowserAnswer>;

beforeAll(async () => {
  app = await startTestApp({
    world: {
      ...webWorld(),
      users: webWorld().users?.map((user) =>
        (user as { username: string }).username === 'alice' ? { ...(user as object), protected: true } : user,
      ),
      follows: [{ from: 'carol', to: 'alice', pending: true }],
      tokens: [
        { app: '3002', user: 'alice', kind: 'oauth2', access_token: 'a-token', scopes: ['tweet.read'] },
      ],
    },
    flags: { signUp: 'open' },
  });
  await makeOperator(app, 'alice');
  await openBrowser(app).signIn('alice', PASSWORDS.alice);
  operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
  await send(operator, '/operator-desk/invitations', { note: 'Dora' });
  pages = await walk(operator, ['/home']);
});
afterAll(() => app.close());

async function walk(browser: Browser, from: readonly string[]): Promise<Map<string, BrowserAnswer>> {
  const found = new Map<string, BrowserAnswer>();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || path.startsWith('/docs')) continue;
    const answer = await browser.get(path);
    found.set(path, answer);
    open.push(...linksOf(answer));
  }
  return found;
}

test('links lead to every page of an operator', () => {
  const paths = [...pages.keys()];
  expect(paths).toEqual(
    expect.arrayContaining([
      '/home',
      '/my-account',
      '/my-account/privacy',
      '/my-account/follow-requests',
      '/my-account/connected-apps',
      '/my-account/password',
      '/my-account/sessions',
      '/my-account/closing',
      '/my-apps',
      '/my-apps/new',
      '/my-apps/3001',
      '/operator-desk',
      '/operator-desk/users/1001',
      '/operator-desk/users/1002',
      '/operator-desk/apps',
      '/operator-desk/apps/3002',
      '/operator-desk/invitations',
    ]),
  );
});

test('every page has its headers, labels and one heading, and no script', async () => {
  for (const [path, answer] of pages) {
    expect(answer.status, path).toBe(200);
    expectValidPage(answer, path);
  }
  const stranger = openBrowser(app);
  for (const path of ['/', '/sign-in', '/sign-up', '/reset-password?token=x', '/my-nothing']) {
    const answer = await stranger.get(path);
    if (answer.headers['content-type']?.startsWith('text/html')) expectValidPage(answer, path);
  }
});

test('every form refuses requests without the CSRF token of its browser and changes nothing', async () => {
  const actions = new Set([...pages.values()].flatMap(actionsOf));
  expect(actions.size).toBeGreaterThan(20);
  const foreign = openBrowser(app);
  await foreign.signIn('bob', PASSWORDS.bob);
  const foreignToken = csrfOf((await foreign.get('/my-account')).text);
  expect(foreignToken).not.toBe('');
  for (const action of actions) {
    for (const csrf of ['', 'x', foreignToken]) {
      const answer = await operator.post(action, { csrf });
      expect([action, answer.status]).toEqual([action, 403]);
      expectValidPage(answer, action);
    }
  }
  expect((await operator.get('/my-account')).status).toBe(200);
});

/** Pages of people, posts and tags are open to visitors. */
const isPublic = (path: string): boolean => !/^\/(?:home|my-|operator-desk)/.test(path);

test('strangers are redirected to sign in from every private page and form', async () => {
  const stranger = openBrowser(app);
  const csrf = csrfOf((await stranger.get('/sign-in')).text);
  for (const path of pages.keys()) {
    if (isPublic(path)) continue;
    const answer = await stranger.get(path);
    expect([path, answer.status]).toEqual([path, 303]);
    expect(answer.location).toBe(`/sign-in?${new URLSearchParams({ next: path }).toString()}`);
  }
  for (const action of new Set([...pages.values()].flatMap(actionsOf))) {
    if (action.startsWith('/sign')) continue;
    expect([action, (await stranger.post(action, { csrf })).location]).toEqual([
      action,
      expect.stringMatching(/^\/sign-in\?next=/),
    ]);
  }
});

test('users who are not operators cannot open the operator’s pages or use their forms', async () => {
  const browser = openBrowser(app);
  await browser.signIn('bob', PASSWORDS.bob);
  const csrf = csrfOf((await browser.get('/my-account')).text);
  for (const [path, page] of pages) {
    if (!path.startsWith('/operator-desk')) continue;
    expect([path, (await browser.get(path)).status]).toEqual([path, 403]);
    for (const action of actionsOf(page).filter((each) => each.startsWith('/operator-desk'))) {
      expect([action, (await browser.post(action, { csrf })).status]).toEqual([action, 403]);
    }
  }
  expect((await browser.get('/home')).text).not.toContain('/operator-desk');
});

test('the apps of other users return 404 for page and forms', async () => {
  const browser = openBrowser(app);
  await browser.signIn('bob', PASSWORDS.bob);
  const csrf = csrfOf((await browser.get('/my-account')).text);
  for (const id of ['3001', '999', 'x', '9'.repeat(30)]) {
    expect((await browser.get(`/my-apps/${id}`)).status).toBe(404);
    for (const part of ['/settings', '/keys', '/tokens', '/tokens/x/revoke', '/delete']) {
      const answer = await browser.post(`/my-apps/${id}${part}`, { csrf, name: 'mine', permissions: 'read' });
      expect([id, part, answer.status]).toEqual([id, part, 404]);
    }
  }
  expect((await operator.get('/my-apps/3001')).status).toBe(200);
});
