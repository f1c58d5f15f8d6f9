import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { deactivateAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { csrfOf, expectValidPage, makeOperator, secretOf, send, textOf } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const DAY_MS = 24 * 3_600_000;
const OPERATOR_PAGES = '/operator-desk';

let nowMs: number;
let app: TestApp;
let operator: Browser;

beforeEach(async () => {
  nowMs = Date.UTC(2022, 9, 7);
  app = await startTestApp({ world: webWorld(), clock: () => nowMs });
  onTestFinished(() => app.close());
  await makeOperator(app, 'alice');
  operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
});

const userPath = (name: keyof typeof USERS) => `${OPERATOR_PAGES}/users/${USERS[name]}`;
const act = (name: keyof typeof USERS, action: string, fields: Record<string, string> = {}) =>
  send(operator, userPath(name), fields, `${userPath(name)}/${action}`);

describe('the list of users', () => {
  const namesOf = (page: BrowserAnswer) => [...textOf(page).matchAll(/@(\w+)/g)].map(([, name]) => name);

  test('finds users by the start of their name, in any case, and by id', async () => {
    const search = async (q: string) =>
      namesOf(await operator.get(`${OPERATOR_PAGES}/users?${new URLSearchParams({ q }).toString()}`));
    expect(await search('')).toEqual(['alice', 'bob', 'carol', 'dave', 'mallory']);
    expect(await search('@CA')).toEqual(['carol']);
    expect(await search(USERS.dave)).toEqual(['dave']);
    for (const none of ['%', '_', '!', `'`, '<script>']) expect(await search(none)).toEqual([]);
  });

  test('shows all of many users in pages', async () => {
    const users = Array.from({ length: 120 }, (_, n) => ({
      id: String(7000 + n),
      username: `bird_${n}`,
      name: 'Bird',
    }));
    await app.load({ users });
    let page = await operator.get(`${OPERATOR_PAGES}/users?q=bird_`);
    const names = namesOf(page);
    for (;;) {
      expectValidPage(page, 'list');
      const more = /href="(\/operator-desk\/users\?[^"]*after=[^"]*)"/.exec(page.text)?.[1];
      if (more === undefined) break;
      page = await operator.get(more.replaceAll('&amp;', '&'));
      names.push(...namesOf(page));
    }
    expect(names).toEqual(users.map(({ username }) => username).sort());
  });
});

describe('a user', () => {
  test('can be suspended and restored', async () => {
    const browser = openBrowser(app);
    await browser.signIn('bob', PASSWORDS.bob);
    const token = await app.as('bob');
    expect((await act('bob', 'suspend')).location).toBe(`${userPath('bob')}?done=suspended`);
    expect(textOf(await operator.get(userPath('bob')))).toContain('Suspended by an operator');
    expect((await browser.get('/my-account')).status).toBe(303);
    expect((await app.get('/2/users/me', token)).status).toBeGreaterThanOrEqual(401);
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.errors).toHaveLength(1);
    await act('bob', 'restore');
    expect(textOf(await operator.get(userPath('bob')))).toContain('Active');
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.data.id).toBe(POSTS.reply);
    expect((await app.get('/2/users/me', token)).status).toBe(200);
  });

  test('who deactivated the account cannot reactivate it while suspended', async () => {
    await deactivateAccount(app.pipit.backend, BigInt(USERS.bob) as UserId);
    expect(textOf(await operator.get(userPath('bob')))).toMatch(/Deactivated by its owner .*Suspend @bob/);
    expect((await act('bob', 'restore')).status).toBe(403);
    await act('bob', 'suspend');
    const answer = await openBrowser(app).signIn('bob', PASSWORDS.bob);
    expect(textOf(answer)).toContain('suspended');
    expect(textOf(answer)).not.toContain('Reactivate my account');
  });

  test('can be deleted, unless there are apps to delete first', async () => {
    expect((await act('bob', 'delete')).status).toBe(403);
    expect((await act('carol', 'delete')).location).toBe(`${OPERATOR_PAGES}/users?done=deleted`);
    expect(textOf(await operator.get(userPath('carol')))).toContain('Being deleted');
    expect((await act('carol', 'restore')).status).toBe(403);
    await app.pipit.jobs.worker.runDue();
    expect((await operator.get(userPath('carol'))).status).toBe(404);
    expect((await app.get(`/2/users/${USERS.carol}`, app.bearer)).body.errors[0].title).toBe(
      'Not Found Error',
    );
  });

  test('can become an operator and be dismissed', async () => {
    const browser = openBrowser(app);
    await browser.signIn('bob', PASSWORDS.bob);
    expect((await browser.get(OPERATOR_PAGES)).status).toBe(403);
    await act('bob', 'operator', { operates: 'yes' });
    expect((await browser.get(OPERATOR_PAGES)).status).toBe(200);
    await act('bob', 'operator', { operates: 'no' });
    expect((await browser.get(OPERATOR_PAGES)).status).toBe(403);
  });

  test('who is the operator cannot suspend, delete or dismiss the own account', async () => {
    for (const action of ['suspend', 'restore', 'delete', 'operator']) {
      expect((await act('alice', action)).status).toBe(403);
    }
    expect((await operator.get(OPERATOR_PAGES)).status).toBe(200);
  });

  test.each(['0', '999', 'x', '9'.repeat(25)])('with the id %s returns 404', async (id) => {
    expect((await operator.get(`${OPERATOR_PAGES}/users/${id}`)).status).toBe(404);
    const csrf = csrfOf((await operator.get(OPERATOR_PAGES)).text);
    for (const action of ['suspend', 'restore', 'recovery', 'operator', 'delete']) {
      expect((await operator.post(`${OPERATOR_PAGES}/users/${id}/${action}`, { csrf })).status).toBe(404);
    }
  });
});

describe('a forgotten password', () => {
  const NEW = 'a new pond of words';
  let browser: Browser;
  beforeEach(async () => {
    browser = openBrowser(app);
    await browser.signIn('bob', PASSWORDS.bob);
  });
  const makeLink = async () => {
    const page = await act('bob', 'recovery', { by: 'link' });
    expectValidPage(page, 'recovery');
    const link = new URL(secretOf(page, 'Link'));
    expect(link.origin).toBe('http://pipit.test');
    return link.pathname + link.search;
  };

  test('is replaced once by a link, which ends every session; the old one is valid until then', async () => {
    const link = await makeLink();
    const stranger = openBrowser(app);
    expect((await stranger.get(link)).status).toBe(200);
    expect((await browser.get('/my-account')).status).toBe(200);
    expect((await send(stranger, link, { password: 'short' })).status).toBe(400);
    const answer = await send(stranger, link, { password: NEW });
    expect(answer.location).toBe('/sign-in?left=password&username=bob');
    expect((await browser.get('/my-account')).status).toBe(303);
    expect((await openBrowser(app).signIn('bob', PASSWORDS.bob)).status).toBe(403);
    expect((await openBrowser(app).signIn('bob', NEW)).status).toBe(303);
    expect((await stranger.get(link)).status).toBe(403);
    expect((await stranger.post(link, { password: NEW })).status).toBe(403);
  });

  test('is replaced by one of two concurrent uses of a link, and other links become invalid', async () => {
    const [link, other] = [await makeLink(), await makeLink()];
    const strangers = [openBrowser(app), openBrowser(app)];
    const answers = await Promise.all(
      strangers.map((each, n) => send(each, link, { password: `${NEW} ${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
    expect((await browser.get(other)).status).toBe(403);
  });

  test('is not replaced by an expired or invalid link', async () => {
    const link = await makeLink();
    expect((await browser.get(`${link}x`)).status).toBe(403);
    nowMs += DAY_MS;
    expect((await browser.get(link)).status).toBe(403);
    expect((await openBrowser(app).signIn('bob', PASSWORDS.bob)).status).toBe(303);
  });

  test('is replaced at once by a generated one, shown once', async () => {
    const generated = secretOf(await act('bob', 'recovery', { by: 'password' }), 'Password');
    expect(generated.length).toBeGreaterThanOrEqual(20);
    expect((await browser.get('/my-account')).status).toBe(303);
    expect((await openBrowser(app).signIn('bob', generated)).status).toBe(303);
  });
});

test('an app is granted an access level and track, effective at once', async () => {
  const path = `${OPERATOR_PAGES}/apps/${WEB_APP.id}`;
  const searchAll = () => app.get('/2/tweets/search/all?query=pond', WEB_APP.bearer_token);
  expect((await searchAll()).status).toBe(403);
  const answer = await send(operator, path, { access_level: 'essential', track: 'academic_research' });
  expect(answer.location).toBe(`${path}?done=granted`);
  expect((await searchAll()).status).toBe(200);
  const page = await operator.get(path);
  expect(page.text).toMatch(/value="essential" checked/);
  expect(page.text).toMatch(/value="academic_research" checked/);
  await send(operator, path, { access_level: 'root', track: '' });
  expect((await operator.get(path)).text).toMatch(/value="essential" checked/);
  expect((await operator.get(`${OPERATOR_PAGES}/apps/1`)).status).toBe(404);
});

test('an app is deleted with its tokens', async () => {
  const path = `${OPERATOR_PAGES}/apps/${APP.id}`;
  expect((await send(operator, path, {}, `${path}/delete`)).location).toBe(
    `${OPERATOR_PAGES}/apps?done=deleted`,
  );
  expect((await app.get('/2/users/by/username/alice', app.bearer)).status).toBe(401);
});
