import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SIGN_IN_LIMITS } from '../../src/auth/sign-in.js';
import type { AppId, UserId } from '../../src/core/ids.js';
import { createWebSessionService, MAX_SESSIONS } from '../../src/services/accounts/web-sessions.js';
import { findPasswordHash } from '../../src/stores/users.js';
import { png } from '../api/support/media-files.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { openBrowser, type Browser, type FormPart } from './support/browser.js';
import { csrfOf, expectValidPage, send, textOf } from './support/pages.js';
import { allow, redeem, refresh } from './support/oauth2-flow.js';
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
  await browser.signIn('bob', PASSWORDS.bob);
});

const userOf = async (username: string, fields: string) =>
  (await app.get(`/2/users/by/username/${username}?user.fields=${fields}`, app.bearer)).body.data;

test('a picture and a banner are changed, removed and refused without script, and typed texts stay', async () => {
  const sendForm = async (...parts: FormPart[]) => {
    const csrf = csrfOf((await browser.get('/my-account')).text);
    return browser.postFiles('/my-account', [['csrf', csrf], ['name', 'Bob'], ...parts]);
  };
  const image = await png(60, 40);
  const changed = await sendForm(
    ['picture', 'me.png', 'image/png', image],
    ['banner', 'hill.png', 'image/png', image],
  );
  expect([changed.status, changed.location]).toEqual([303, '/my-account?done=saved']);
  const { profile_image_url: url, profile_banner_url: banner } = await userOf(
    'bob',
    'profile_image_url,profile_banner_url',
  );
  const profile = await browser.get('/bob');
  expectValidPage(profile, '/bob');
  expect(profile.text).toContain(`src="${new URL(url as string).pathname.replace('_normal', '_400x400')}"`);
  expect(profile.text).toContain(`src="${new URL(banner as string).pathname}/600x200"`);

  const refused = await sendForm(
    ['description', 'Typed & not lost'],
    ['url', 'no link'],
    ['picture', '<b>.png', 'image/png', Buffer.from('no picture')],
    ['banner_remove', 'yes'],
  );
  expect(refused.status).toBe(400);
  expect(textOf(refused)).toContain('media type unrecognized.');
  for (const typed of ['Typed &amp; not lost</textarea>', 'value="no link"'])
    expect(refused.text).toContain(typed);
  expectValidPage(refused, '/my-account');
  const left = await userOf('bob', 'description,profile_image_url,profile_banner_url');
  expect(left).toMatchObject({ description: '', profile_image_url: url });
  expect(left.profile_banner_url).toBeUndefined();
  expect((await browser.get('/bob')).text).not.toContain('class="banner"');
});

describe('the profile', () => {
  const PROFILE = {
    name: 'Bob & Sons',
    description: '\nKeeps bees, see https://bees.example\r\nWrites to @alice',
    location: 'Hill',
    url: 'https://bob.example/home',
  };

  test('is changed for the API too, with entities, and shown as typed', async () => {
    const answer = await send(browser, '/my-account', PROFILE);
    expect([answer.status, answer.location]).toEqual([303, '/my-account?done=saved']);
    const user = await userOf('bob', 'description,location,url,entities');
    expect(user).toMatchObject({
      name: 'Bob & Sons',
      description: 'Keeps bees, see https://bees.example\nWrites to @alice',
      location: 'Hill',
      url: 'https://bob.example/home',
    });
    expect(user.entities.description.mentions).toHaveLength(1);
    const page = await browser.get('/my-account?done=saved');
    expect(page.text).toContain('value="Bob &amp; Sons"');
    expect(textOf(page)).toContain('Your profile was saved.');
    expect((await browser.get('/my-account?done=constructor')).text).not.toContain('role="status"');
  });

  test('can be emptied except for the name', async () => {
    await send(browser, '/my-account', PROFILE);
    await send(browser, '/my-account', { name: 'Bob', description: '', location: '', url: '' });
    const user = await userOf('bob', 'description,location,url,entities');
    expect(user).toEqual({ id: USERS.bob, name: 'Bob', username: 'bob', description: '', url: '' });
  });

  test.each([
    ['no name', { name: ' ' }, '1 to 50'],
    ['a long description', { description: 'x'.repeat(161) }, 'at most 160'],
    ['a long location', { location: 'x'.repeat(31) }, 'at most 30'],
    ['a link that runs script', { url: 'javascript:alert(1)' }, 'must start with https://'],
    ['a text that is not a link', { url: 'bees' }, 'must start with https://'],
  ])('is not changed with %s', async (_, change, text) => {
    const answer = await send(browser, '/my-account', { ...PROFILE, ...change });
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain(text);
    expect((await userOf('bob', 'location')).location).toBeUndefined();
  });
});

describe('privacy', () => {
  const OPEN = { receives_dms: 'following', photo_tagging: 'yes' };

  test('protecting hides posts from strangers, and unprotecting accepts pending followers (docs/api/people.md#follows-blocks-and-mutes)', async () => {
    await send(browser, '/my-account/privacy', { ...OPEN, protected: 'yes' });
    expect(await userOf('bob', 'protected')).toMatchObject({ protected: true });
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.errors).toHaveLength(1);
    const carol = await app.as('carol');
    const requested = await app.post(`/2/users/${USERS.carol}/following`, carol, {
      target_user_id: USERS.bob,
    });
    expect(requested.body.data).toEqual({ following: false, pending_follow: true });
    await send(browser, '/my-account/privacy', OPEN);
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.data.id).toBe(POSTS.reply);
    const followers = await app.get(`/2/users/${USERS.bob}/followers`, app.bearer);
    expect(followers.body.data.map(({ id }: { id: string }) => id)).toContain(USERS.carol);
  });

  test('sets who can send messages', async () => {
    const write = async () =>
      app.post(`/2/dm_conversations/with/${USERS.bob}/messages`, await app.as('carol'), { text: 'Hello' });
    expect((await write()).status).toBe(403);
    await send(browser, '/my-account/privacy', { ...OPEN, receives_dms: 'everyone' });
    expect((await browser.get('/my-account/privacy')).text).toMatch(/value="everyone" checked/);
    expect((await write()).status).toBe(201);
  });

  test('keeps settings that the form does not show', async () => {
    await send(browser, '/my-account/privacy', { receives_dms: 'nobody' });
    const page = (await browser.get('/my-account/privacy')).text;
    expect(page).toMatch(/value="following" checked/);
    expect(page).not.toMatch(/name="photo_tagging" value="yes" checked/);
  });
});

test('follow requests are accepted or denied once, by their recipient only', async () => {
  const protect = { receives_dms: 'following', protected: 'yes' };
  await send(browser, '/my-account/privacy', protect);
  for (const name of ['carol', 'dave'] as const) {
    const token = await app.as(name);
    await app.post(`/2/users/${USERS[name]}/following`, token, { target_user_id: USERS.bob });
  }
  const at = '/my-account/follow-requests';
  expect(textOf(await browser.get(at))).toMatch(/Carol .*Dave/);
  const stranger = openBrowser(app);
  await stranger.signIn('alice', PASSWORDS.alice);
  const foreign = await send(stranger, '/my-account', { user: USERS.carol, answer: 'accept' }, at);
  expect(foreign.location).toBe(`${at}?done=gone`);
  const answer = (user: string, verdict: string) =>
    send(browser, '/my-account', { user, answer: verdict }, at);
  expect((await answer(USERS.carol, 'accept')).location).toBe(`${at}?done=accepted`);
  expect((await answer(USERS.carol, 'accept')).location).toBe(`${at}?done=gone`);
  expect((await answer(USERS.dave, 'deny')).location).toBe(`${at}?done=denied`);
  expect((await answer('x', 'deny')).location).toBe(`${at}?done=gone`);
  expect(textOf(await browser.get(at))).toContain('No pending requests');
  const followers = await app.get(`/2/users/${USERS.bob}/followers`, await app.as('bob'));
  expect(followers.body.data.map(({ id }: { id: string }) => id)).toEqual([USERS.carol]);
});

describe('the password', () => {
  const NEW = 'another pond of words';

  test('is changed with the old one, and every other session ends', async () => {
    const other = openBrowser(app);
    await other.signIn('bob', PASSWORDS.bob);
    const answer = await send(browser, '/my-account/password', { current: PASSWORDS.bob, password: NEW });
    expect(answer.location).toBe('/my-account/password?done=changed');
    expect((await browser.get('/my-account')).status).toBe(200);
    expect((await other.get('/my-account')).status).toBe(303);
    expect((await openBrowser(app).signIn('bob', PASSWORDS.bob)).status).toBe(403);
    expect((await openBrowser(app).signIn('bob', NEW)).status).toBe(303);
  });

  test('is unchanged with a wrong old one and with an invalid new one', async () => {
    const wrong = await send(browser, '/my-account/password', { current: 'nonsense', password: NEW });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain('The password is wrong');
    const short = await send(browser, '/my-account/password', { current: PASSWORDS.bob, password: 'x' });
    expect(textOf(short)).toContain('at least 10');
    expect((await openBrowser(app).signIn('bob', PASSWORDS.bob)).status).toBe(303);
  });

  test('cannot be guessed in an open session', async () => {
    const csrf = csrfOf((await browser.get('/my-account/password')).text);
    const guess = (current: string) => browser.post('/my-account/password', { csrf, current, password: NEW });
    for (let n = 0; n < SIGN_IN_LIMITS.accountAndAddress; n += 1) {
      expect((await guess('wrong')).status).toBe(400);
    }
    expect((await guess(PASSWORDS.bob)).status).toBe(429);
  });
});

describe('sessions', () => {
  test('are listed, and can be ended one by one or all except this', async () => {
    const [one, two] = [openBrowser(app), openBrowser(app)];
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0' };
    await one.post(
      '/sign-in',
      { csrf: csrfOf((await one.get('/sign-in')).text), username: 'bob', password: PASSWORDS.bob },
      agent,
    );
    await two.signIn('bob', PASSWORDS.bob);
    const page = await browser.get('/my-account/sessions');
    expect(textOf(page)).toContain('Firefox on Linux');
    expect(page.text).not.toContain(browser.cookies.get('pipit_session') ?? 'none');
    const [session = ''] = [...page.text.matchAll(/name="session" value="([^"]+)"/g)].map(([, hash]) => hash);
    const ended = await send(browser, '/my-account/sessions', { session });
    expect(ended.location).toBe('/my-account/sessions?done=ended');
    const left = [one, two].map(async (each) => (await each.get('/my-account')).status);
    expect((await Promise.all(left)).sort()).toEqual([200, 303]);
    await send(browser, '/my-account/sessions', { others: 'yes' });
    for (const each of [one, two]) expect((await each.get('/my-account')).status).toBe(303);
    expect((await browser.get('/my-account')).status).toBe(200);
  });

  test('are limited: a further one ends the least recently used', async () => {
    const { engine } = app.pipit.backend;
    const userId = BigInt(USERS.bob) as UserId;
    const passwordHash = (await findPasswordHash(engine, userId)) ?? '';
    const sessions = createWebSessionService({ engine, clock: () => nowMs });
    const startSession = async () => {
      nowMs += 1000;
      return sessions.start({ userId, passwordHash });
    };
    await startSession();
    const second = (await startSession()) ?? '';
    for (let open = 3; open < MAX_SESSIONS; open += 1) await startSession();
    nowMs += 2 * DAY_MS;
    expect((await browser.get('/my-account')).status).toBe(200);
    expect(await sessions.list(userId)).toHaveLength(MAX_SESSIONS);
    await Promise.all([startSession(), openBrowser(app).signIn('bob', PASSWORDS.bob)]);
    expect(await sessions.list(userId)).toHaveLength(MAX_SESSIONS);
    expect(await sessions.find(second)).toBeUndefined();
    expect((await browser.get('/my-account')).status).toBe(200);
  });

  test('of other users return 404', async () => {
    const alice = openBrowser(app);
    await alice.signIn('alice', PASSWORDS.alice);
    const other = openBrowser(app);
    await other.signIn('alice', PASSWORDS.alice);
    const page = (await alice.get('/my-account/sessions')).text;
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await send(browser, '/my-account', { session }, '/my-account/sessions')).status).toBe(404);
    expect((await other.get('/my-account')).status).toBe(200);
  });
});

test('connected apps are listed; disconnecting invalidates tokens and codes at once', async () => {
  const tokens = (await redeem(app, await allow(browser))).body;
  const code = await allow(browser);
  const oauth1 = await app.pipit.backend.tokens.issueOAuth1({
    appId: 3001n as AppId,
    userId: BigInt(USERS.bob) as UserId,
  });
  expect(oauth1.isNew).toBe(true);
  const ofOtherApp = await app.as('bob');
  const page = await browser.get('/my-account/connected-apps');
  expect(page.text).toContain('Birds &amp; &lt;Bees&gt;');
  expect(textOf(page)).toContain('Stay connected until you revoke access');
  expect(textOf(page)).toContain('Read, send and delete direct messages for you');
  const disconnect = (id: string) => send(browser, '/my-account', { app: id }, '/my-account/connected-apps');
  expect((await disconnect('3001')).location).toBe('/my-account/connected-apps?done=disconnected');
  expect((await app.get('/2/users/me', tokens.access_token)).status).toBe(401);
  expect((await refresh(app, tokens.refresh_token)).status).toBe(400);
  expect((await redeem(app, code)).status).toBe(400);
  expect((await app.get('/2/users/me', ofOtherApp)).status).toBe(200);
  for (const id of ['3001', '3002', 'x']) expect((await disconnect(id)).status).toBe(404);
});

test('an app whose tokens have all expired is not a connected app', async () => {
  const { body } = await redeem(app, await allow(browser));
  nowMs += 20 * DAY_MS;
  expect(textOf(await browser.get('/my-account/connected-apps'))).toContain('Birds');
  nowMs += 29 * DAY_MS;
  await browser.get('/');
  expect((await refresh(app, body.refresh_token)).status).toBe(200);
  for (let days = 0; days < 182; days += 26) {
    expect(textOf(await browser.get('/my-account/connected-apps'))).toContain('Birds');
    nowMs += 26 * DAY_MS;
  }
  expect(textOf(await browser.get('/my-account/connected-apps'))).toContain('No connected apps.');
});

describe('leaving', () => {
  const leave = (how: 'deactivate' | 'delete', password: string = PASSWORDS.bob) =>
    send(browser, '/my-account', { password }, `/my-account/closing/${how}`);

  test('requires the password', async () => {
    for (const how of ['deactivate', 'delete'] as const) {
      const answer = await leave(how, 'wrong password');
      expect(answer.status).toBe(403);
      expectValidPage(answer, how);
    }
    expect((await browser.get('/my-account')).status).toBe(200);
  });

  test('by deactivation hides the account until its owner signs in and confirms', async () => {
    const token = await app.as('bob');
    const other = openBrowser(app);
    await other.signIn('bob', PASSWORDS.bob);
    expect((await leave('deactivate')).location).toBe('/sign-in?left=deactivated');
    expect((await other.get('/my-account')).status).toBe(303);
    expect((await app.get('/2/users/by/username/bob', app.bearer)).body.errors).toHaveLength(1);
    expect((await app.get('/2/users/me', token)).status).toBeGreaterThanOrEqual(401);
    const requested = await browser.signIn('bob', PASSWORDS.bob);
    expect(requested.status).toBe(403);
    expect(textOf(requested)).toContain('Reactivate my account');
    expect((await openBrowser(app).signIn('bob', 'wrong')).text).not.toContain('Reactivate my account');
    expect((await browser.get('/my-account')).status).toBe(303);
    const back = await browser.submit(requested, {
      username: 'bob',
      password: PASSWORDS.bob,
      reactivate: 'yes',
    });
    expect(back.status).toBe(303);
    expect((await browser.get('/my-account')).status).toBe(200);
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.data.id).toBe(POSTS.reply);
  });

  test('by deletion requires deleting one’s apps first', async () => {
    expect(textOf(await browser.get('/my-account/closing'))).toContain('Delete your apps first');
    expect((await leave('delete')).status).toBe(403);
    expect((await browser.get('/my-account')).status).toBe(200);
  });

  test('by deletion hides and signs out the account at once, and then removes everything', async () => {
    await send(browser, '/my-apps', {}, '/my-apps/3002/delete');
    expect((await leave('delete')).location).toBe('/sign-in?left=deleted');
    expect((await openBrowser(app).signIn('bob', PASSWORDS.bob)).status).toBe(403);
    expect((await app.get(`/2/tweets/${POSTS.reply}`, app.bearer)).body.errors).toHaveLength(1);
    await app.pipit.jobs.worker.runDue();
    const { errors } = (await app.get(`/2/users/${USERS.bob}`, app.bearer)).body;
    expect(errors[0].title).toBe('Not Found Error');
    const alice = (await app.get(`/2/users/${USERS.alice}?user.fields=public_metrics`, app.bearer)).body.data;
    expect(alice.public_metrics.followers_count).toBe(1);
  });
});
