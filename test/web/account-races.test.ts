import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { deleteOperator } from '../../src/stores/operators.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
import { decide, exchange, requestToken, verifierOf } from './support/oauth1-flow.js';
import { allow, authorizeUrl, basic, postForm, redeem, refresh } from './support/oauth2-flow.js';
import { interleave } from './support/interleave.js';
import { makeOperator, secretOf, send, textOf } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const OPERATOR_PAGES = '/operator-desk';
const NEW = 'another pond of words';

let nowMs: number;
let app: TestApp;
let operator: Browser;
let bob: Browser;

beforeEach(async () => {
  nowMs = Date.UTC(2022, 9, 7);
  app = await startTestApp({ world: webWorld(), clock: () => nowMs, flags: { signUp: 'invitation' } });
  onTestFinished(() => app.close());
  await makeOperator(app, 'alice');
  operator = await signedIn('alice');
  bob = await signedIn('bob');
});

async function signedIn(name: keyof typeof PASSWORDS): Promise<Browser> {
  const browser = openBrowser(app);
  await browser.signIn(name, PASSWORDS[name]);
  return browser;
}

const pathOf = (name: keyof typeof USERS) => `${OPERATOR_PAGES}/users/${USERS[name]}`;
const act = (name: keyof typeof USERS, action: string, fields: Record<string, string> = {}) =>
  send(operator, pathOf(name), fields, `${pathOf(name)}/${action}`);
const stateOf = async (name: keyof typeof USERS) => textOf(await operator.get(pathOf(name)));
const leave = (how: 'deactivate' | 'delete', browser = bob) =>
  send(browser, '/my-account', { password: PASSWORDS.bob }, `/my-account/closing/${how}`);
const isSignedIn = async (browser: Browser) => (await browser.get('/my-account')).status === 200;
const dismiss = (name: keyof typeof USERS) =>
  app.pipit.backend.engine.tx('dismiss', (tx) => deleteOperator(tx, BigInt(USERS[name]) as UserId));

describe('a suspension', () => {
  test('overrides a deactivation that started before it', async () => {
    const hasRun = interleave(app, 'deactivate account', () => act('bob', 'suspend'));
    expect((await leave('deactivate')).status).toBe(403);
    expect(hasRun()).toBe(true);
    expect(await stateOf('bob')).toContain('Suspended by an operator');
    const answer = await bob.signIn('bob', PASSWORDS.bob);
    expect(textOf(answer)).toContain('Your account is suspended.');
    await act('bob', 'restore');
    expect((await bob.signIn('bob', PASSWORDS.bob)).status).toBe(303);
  });

  test('of a deactivated account, once lifted, leaves the account deactivated', async () => {
    await leave('deactivate');
    expect((await act('bob', 'restore')).status).toBe(403);
    await act('bob', 'suspend');
    expect(await stateOf('bob')).toContain('Suspended by an operator');
    const reactivate = { username: 'bob', password: PASSWORDS.bob, reactivate: 'yes' };
    expect((await send(bob, '/sign-in', reactivate)).status).toBe(403);
    expect((await act('bob', 'restore')).location).toBe(`${pathOf('bob')}?done=lifted`);
    expect(await stateOf('bob')).toContain('Deactivated by its owner');
    expect((await app.get(`/2/users/${USERS.bob}`, app.bearer)).body.errors).toHaveLength(1);
    expect((await send(bob, '/sign-in', reactivate)).status).toBe(303);
    expect(await isSignedIn(bob)).toBe(true);
  });

  test('overrides a deletion and a reactivation that the owner started before it', async () => {
    await send(bob, '/my-apps', {}, '/my-apps/3002/delete');
    interleave(app, 'close account', () => act('bob', 'suspend'));
    expect((await leave('delete')).status).toBe(403);
    expect(await stateOf('bob')).toContain('Suspended by an operator');
    await act('bob', 'restore');
    bob = await signedIn('bob');
    await leave('deactivate');
    const hasRun = interleave(app, 'reactivate account', () => act('bob', 'suspend'));
    const reactivate = { username: 'bob', password: PASSWORDS.bob, reactivate: 'yes' };
    expect((await send(bob, '/sign-in', reactivate)).status).toBe(403);
    expect(hasRun()).toBe(true);
    expect(await stateOf('bob')).toContain('Suspended by an operator');
    await act('bob', 'restore');
    expect(await isSignedIn(bob)).toBe(false);
  });

  test('of an account that is being deleted cannot be lifted', async () => {
    await send(bob, '/my-apps', {}, '/my-apps/3002/delete');
    await leave('delete');
    await act('bob', 'suspend');
    expect((await act('bob', 'restore')).status).toBe(403);
    expect(await stateOf('bob')).toContain('Being deleted');
  });

  test('ends sessions, pending authorizations and consents permanently', async () => {
    const code = await allow(bob);
    const token = await requestToken(app, nowMs);
    const verifier = verifierOf(await decide(bob, token, 'approve'));
    await act('bob', 'suspend');
    await act('bob', 'restore');
    expect(await isSignedIn(bob)).toBe(false);
    expect((await redeem(app, code)).status).toBe(400);
    expect((await exchange(app, token, verifier, nowMs)).status).toBe(401);
    const hasRun = interleave(app, 'start session', () => act('bob', 'suspend'));
    expect((await bob.signIn('bob', PASSWORDS.bob)).status).toBe(403);
    expect(hasRun()).toBe(true);
    await act('bob', 'restore');
    expect(await isSignedIn(bob)).toBe(false);
  });

  test('refuses a refresh token without consuming it', async () => {
    const { refresh_token: token } = (await redeem(app, await allow(bob))).body;
    await act('bob', 'suspend');
    for (let attempt = 0; attempt < 2; attempt += 1) expect((await refresh(app, token)).status).toBe(400);
    await act('bob', 'restore');
    expect((await refresh(app, token)).status).toBe(200);
  });

  test('overrides a consent, a token and new keys that the user started before it', async () => {
    const page = await bob.get(authorizeUrl());
    interleave(app, 'issue authorization code', () => act('bob', 'suspend'));
    expect((await bob.submit(page, {}, 'approve')).status).toBe(403);
    await act('bob', 'restore');
    bob = await signedIn('bob');
    const token = await requestToken(app, nowMs);
    interleave(app, 'consent to request token', () => act('bob', 'suspend'));
    expect((await decide(bob, token, 'approve')).status).toBe(403);
    for (const action of ['tokens', 'keys', 'delete']) {
      await act('bob', 'restore');
      bob = await signedIn('bob');
      interleave(app, 'change own app', () => act('bob', 'suspend'));
      expect((await send(bob, '/my-apps', {}, `/my-apps/3002/${action}`)).status).toBe(403);
    }
  });
});

describe('a change of the password', () => {
  const change = (browser: Browser) =>
    send(browser, '/my-account/password', { current: PASSWORDS.bob, password: NEW });

  test('ends a concurrent sign-in with the old password', async () => {
    const attacker = openBrowser(app);
    const hasRun = interleave(app, 'start session', () => change(bob));
    expect((await attacker.signIn('bob', PASSWORDS.bob)).status).toBe(403);
    expect(hasRun()).toBe(true);
    expect(await isSignedIn(attacker)).toBe(false);
    expect(await isSignedIn(bob)).toBe(true);
  });

  test('ends sessions started with the old password, except the current one', async () => {
    const attacker = openBrowser(app);
    interleave(app, 'change password', () => attacker.signIn('bob', PASSWORDS.bob));
    expect((await change(bob)).status).toBe(303);
    expect([await isSignedIn(attacker), await isSignedIn(bob)]).toEqual([false, true]);
  });

  test('overrides changes authorized by the old password: of the password, its recovery and the end of the account', async () => {
    let generated = '';
    const recover = async () => {
      generated = secretOf(await act('bob', 'recovery', { by: 'password' }), 'Password');
    };
    const hasRun = interleave(app, 'change password', recover);
    expect((await change(bob)).status).toBe(403);
    expect(hasRun()).toBe(true);
    expect((await openBrowser(app).signIn('bob', NEW)).status).toBe(403);
    expect((await bob.signIn('bob', generated)).status).toBe(303);
    await send(bob, '/my-apps', {}, '/my-apps/3002/delete');
    for (const [how, name] of [
      ['deactivate', 'deactivate account'],
      ['delete', 'close account'],
    ] as const) {
      const password = generated;
      interleave(app, name, recover);
      expect((await send(bob, '/my-account', { password }, `/my-account/closing/${how}`)).status).toBe(403);
      expect((await bob.signIn('bob', generated)).status).toBe(303);
    }
  });
});

describe('links of an operator', () => {
  const invitation = async (browser: Browser) => {
    const link = new URL(
      secretOf(await send(browser, `${OPERATOR_PAGES}/invitations`, { note: 'eve' }), 'Link'),
    );
    return link.pathname + link.search;
  };
  const resetLink = async (browser: Browser) => {
    const page = await send(browser, pathOf('carol'), { by: 'link' }, `${pathOf('carol')}/recovery`);
    const link = new URL(secretOf(page, 'Link'));
    return link.pathname + link.search;
  };
  const statusesOf = (links: readonly string[]) =>
    Promise.all(links.map(async (link) => (await openBrowser(app).get(link)).status));

  beforeEach(() => makeOperator(app, 'bob'));

  test.each([
    ['dismissed', () => act('bob', 'operator', { operates: 'no' })],
    ['suspended', () => act('bob', 'suspend')],
    ['deactivated', () => leave('deactivate')],
  ])('become invalid once the operator is %s, permanently', async (_, end) => {
    const links = [await invitation(bob), await resetLink(bob)];
    expect(await statusesOf(links)).toEqual([200, 200]);
    const kept = [await invitation(operator), await resetLink(operator)];
    await end();
    expect(await statusesOf(links)).toEqual([403, 403]);
    expect((await send(openBrowser(app), links[0] ?? '', { username: 'eve', password: NEW })).status).toBe(
      403,
    );
    await act('bob', 'restore');
    await act('bob', 'operator', { operates: 'yes' });
    expect(await statusesOf(links)).toEqual([403, 403]);
    expect(await statusesOf(kept)).toEqual([200, 200]);
  });

  test('are refused in a form sent before the operator was dismissed', async () => {
    const stranger = openBrowser(app);
    const [invited, reset] = [await invitation(bob), await resetLink(bob)];
    const hasRun = interleave(app, 'sign up', () => dismiss('bob'));
    expect((await send(stranger, invited, { username: 'eve', password: NEW })).status).toBe(403);
    expect(hasRun()).toBe(true);
    expect((await app.get('/2/users/by/username/eve', app.bearer)).body.errors).toHaveLength(1);
    await makeOperator(app, 'bob');
    interleave(app, 'reset password', () => dismiss('bob'));
    expect((await send(stranger, reset, { password: NEW })).status).toBe(403);
    expect((await openBrowser(app).signIn('carol', NEW)).status).toBe(403);
  });

  test('and actions fail for an operator dismissed meanwhile', async () => {
    const ofCarol = (action: string) => `${pathOf('carol')}/${action}`;
    const ofApp = `${OPERATOR_PAGES}/apps/${WEB_APP.id}`;
    for (const [name, at, action, fields] of [
      ['suspend account', pathOf('carol'), ofCarol('suspend'), {}],
      ['suspend account', pathOf('carol'), ofCarol('restore'), {}],
      ['set operator', pathOf('carol'), ofCarol('operator'), { operates: 'yes' }],
      ['close account', pathOf('carol'), ofCarol('delete'), {}],
      ['create password reset', pathOf('carol'), ofCarol('recovery'), { by: 'link' }],
      ['change password', pathOf('carol'), ofCarol('recovery'), { by: 'password' }],
      ['invite', `${OPERATOR_PAGES}/invitations`, `${OPERATOR_PAGES}/invitations`, {}],
      ['withdraw invitation', `${OPERATOR_PAGES}/invitations`, `${OPERATOR_PAGES}/invitations/withdraw`, {}],
      ['update app', ofApp, ofApp, {}],
      ['delete app', ofApp, `${ofApp}/delete`, {}],
    ] as const) {
      const hasRun = interleave(app, name, () => dismiss('alice'));
      expect((await send(operator, at, fields, action)).status, action).toBe(403);
      expect(hasRun(), action).toBe(true);
      await makeOperator(app, 'alice');
    }
    expect(await stateOf('carol')).toContain('Active');
  });

  test('stay with one of two operators who dismiss each other concurrently', async () => {
    const dismissal = (browser: Browser, name: 'alice' | 'bob') =>
      send(browser, pathOf(name), { operates: 'no' }, `${pathOf(name)}/operator`);
    await Promise.all([dismissal(operator, 'bob'), dismissal(bob, 'alice')]);
    const statuses = [(await operator.get(OPERATOR_PAGES)).status, (await bob.get(OPERATOR_PAGES)).status];
    expect(statuses.sort()).toEqual([200, 403]);
  });
});

describe('the only operator', () => {
  test('cannot deactivate or delete the account', async () => {
    await dismiss('alice');
    await makeOperator(app, 'bob');
    await send(bob, '/my-apps', {}, '/my-apps/3002/delete');
    for (const how of ['deactivate', 'delete'] as const) {
      const answer = await leave(how);
      expect(answer.status).toBe(403);
      expect(textOf(answer)).toContain('You are the only operator');
    }
    expect((await bob.get(OPERATOR_PAGES)).status).toBe(200);
  });

  test('is counted without suspended operators, also when two leave concurrently', async () => {
    await makeOperator(app, 'bob');
    await makeOperator(app, 'carol');
    await act('carol', 'suspend');
    const answers = await Promise.all([
      leave('deactivate'),
      send(operator, '/my-account', { password: PASSWORDS.alice }, '/my-account/closing/deactivate'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  });
});

test('an account is not deleted if an app is registered during the deletion', async () => {
  const { backend } = app.pipit;
  const carol = await findUserByUsername(backend.engine, 'carol');
  if (!carol) throw new Error('no carol');
  const hasRun = interleave(app, 'suspend account', () =>
    backend.apps.create({ name: 'late', ownerId: carol.id, confidential: false }),
  );
  await expect(deleteAccount(backend, carol, { sparesOwners: true })).rejects.toThrow('owns apps');
  expect(hasRun()).toBe(true);
  expect(await stateOf('carol')).toContain('Active');
});

test('an app is not authorized again by a grant that is revoked meanwhile', async () => {
  const first = await requestToken(app, nowMs);
  const verifier = verifierOf(await decide(bob, first, 'approve'));
  expect((await exchange(app, first, verifier, nowMs)).status).toBe(200);
  const second = await requestToken(app, nowMs);
  const hasRun = interleave(app, 'consent to request token', () =>
    send(bob, '/my-account', { app: WEB_APP.id }, '/my-account/connected-apps'),
  );
  const answer = await bob.get(`/oauth/authenticate?oauth_token=${second.token}`);
  expect(hasRun()).toBe(true);
  expect([answer.status, answer.location]).toEqual([200, undefined]);
});

test('replaced keys do not obtain the new bearer token', async () => {
  const hasRun = interleave(app, 'issue app bearer', () =>
    send(operator, '/my-apps', {}, `/my-apps/${WEB_APP.id}/keys`),
  );
  const answer = await postForm(
    app,
    '/oauth2/token',
    { grant_type: 'client_credentials' },
    basic(WEB_APP.api_key, WEB_APP.api_secret),
  );
  expect(hasRun()).toBe(true);
  expect(answer.status).toBe(403);
});
