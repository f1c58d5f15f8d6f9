import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ServeFlags } from '../../src/server/config.js';
import { ADDRESS_LIMITS, ATTEMPT_WINDOW_SECONDS } from '../../src/limits/attempts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { authorizeUrl, formOf } from './support/oauth2-flow.js';
import { csrfOf, expectValidPage, linksOf, makeOperator, secretOf, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

const DORA = { username: 'dora', name: 'Dora', password: 'a pond full of words' } as const;
const DAY_MS = 24 * 3_600_000;

let nowMs: number;
let app: TestApp;
let browser: Browser;

async function start(flags: ServeFlags): Promise<void> {
  app = await startTestApp({ world: webWorld(), clock: () => nowMs, flags });
  onTestFinished(() => app.close());
  browser = openBrowser(app);
}

beforeEach(() => {
  nowMs = Date.UTC(2022, 9, 7);
});

const signUp = (fields: Record<string, string> = DORA, at = '/sign-up', by = browser) => send(by, at, fields);

/** Creates an invitation as alice, an operator, and returns its link. */
async function invitation(): Promise<string> {
  await makeOperator(app, 'alice');
  const operator = openBrowser(app);
  await operator.signIn('alice', PASSWORDS.alice);
  const page = await send(operator, '/operator-desk/invitations', { note: 'For Dora' });
  return new URL(secretOf(page, 'Link')).pathname + new URL(secretOf(page, 'Link')).search;
}

describe('closed, the default', () => {
  test('refuses accounts, and no page links there', async () => {
    await start({});
    const page = await browser.get('/sign-up');
    expect(page.status).toBe(403);
    expectValidPage(page, '/sign-up');
    for (const path of ['/', '/sign-in']) expect((await browser.get(path)).text).not.toContain('/sign-up');
    const csrf = csrfOf((await browser.get('/sign-in')).text);
    expect((await browser.post('/sign-up', { csrf, ...DORA })).status).toBe(403);
    expect((await app.get('/2/users/by/username/dora', app.bearer)).body.errors).toHaveLength(1);
  });

  test('refuses invitations', async () => {
    await start({});
    const link = await invitation();
    expect((await browser.get(link)).status).toBe(403);
  });
});

describe('open', () => {
  beforeEach(() => start({ signUp: 'open' }));

  test('creates an account, signs in, and makes it available to the API and the next sign-in', async () => {
    expect((await browser.get('/')).text).toContain('href="/sign-up"');
    const answer = await signUp();
    expect([answer.status, answer.location]).toEqual([303, '/my-account']);
    expect((await browser.get('/home')).text).toContain('@dora');
    const { data } = (await app.get('/2/users/by/username/dora?user.fields=protected,created_at', app.bearer))
      .body;
    expect(data).toMatchObject({ username: 'dora', name: 'Dora', protected: false });
    expect(Date.parse(data.created_at)).toBe(nowMs);
    expect((await openBrowser(app).signIn('Dora', DORA.password)).status).toBe(303);
  });

  test('redirects to paths of this server only', async () => {
    expect((await signUp(DORA, '/sign-up?next=%2Fmy-apps')).location).toBe('/my-apps');
    const other = openBrowser(app);
    const answer = await signUp({ ...DORA, username: 'ella' }, '/sign-up?next=%2F%2Fevil.example', other);
    expect(answer.location).toBe('/my-account');
  });

  test('can be part of the consent of an app', async () => {
    const wanted = authorizeUrl();
    const signIn = await browser.follow(await browser.get(wanted));
    const link = linksOf(signIn).find((each) => each.startsWith('/sign-up')) ?? '';
    expect(linksOf(await browser.get(link))).toContain(`/sign-in?${formOf({ next: wanted })}`);
    const answer = await signUp(DORA, link);
    expect(answer.location).toBe(wanted);
    expect((await browser.follow(answer)).text).toContain('@dora');
  });

  test('does not pass on addresses of other sites', async () => {
    const page = await browser.get('/sign-in?next=https%3A%2F%2Fevil.example');
    expect(linksOf(page)).toContain('/sign-up');
    expect(linksOf(await browser.get('/sign-up?next=%2F%2Fevil.example'))).toContain('/sign-in');
  });

  test.each([
    ['a username in use in another case', { username: 'ALICE' }, 'is taken'],
    ['a username with a hyphen', { username: 'do-ra' }, '1 to 15 letters'],
    ['an empty username', { username: '' }, '1 to 15 letters'],
    ['a short password', { password: 'short' }, 'at least 10 characters'],
    ['the username as password', { username: 'dora_the_first', password: 'Dora_The_First' }, 'too easy'],
    ['one letter as password', { password: 'aaaaaaaaaaaaaaa' }, 'too easy'],
    ['an endless password', { password: 'ab'.repeat(501) }, 'at most 1000'],
    ['a name of 51 characters', { name: 'n'.repeat(51) }, '1 to 50 characters'],
    ['a name with a bidirectional override', { name: 'Dora \u202e' }, 'control or invisible characters'],
  ])('refuses %s with the reason beside the field', async (_, change, text) => {
    const answer = await signUp({ ...DORA, ...change });
    expect(answer.status).toBe(400);
    expectValidPage(answer, '/sign-up');
    expect(textOf(answer)).toContain(text);
    expect(answer.text).toContain('aria-invalid="true"');
    expect(answer.text).not.toContain(DORA.password);
    expect(browser.cookies.has('pipit_session')).toBe(false);
  });

  test('shows typed markup as text', async () => {
    const answer = await signUp({ ...DORA, username: '"><script>' });
    expectValidPage(answer, '/sign-up');
    expect(answer.text).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('gives a username to one of several concurrent requests', async () => {
    const browsers = [openBrowser(app), openBrowser(app), openBrowser(app)];
    const answers = await Promise.all(browsers.map((each) => signUp(DORA, '/sign-up', each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  test('is limited by address until the window ends', async () => {
    const csrf = csrfOf((await browser.get('/sign-up')).text);
    const post = () => browser.post('/sign-up', { csrf, ...DORA, password: '' });
    for (let n = 0; n < ADDRESS_LIMITS.passwordForms; n += 1) expect((await post()).status).toBe(400);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(ATTEMPT_WINDOW_SECONDS));
    nowMs += ATTEMPT_WINDOW_SECONDS * 1000;
    expect((await post()).status).toBe(400);
  });

  test('redirects signed-in users', async () => {
    await browser.signIn('alice', PASSWORDS.alice);
    expect((await browser.get('/sign-up')).location).toBe('/my-account');
  });
});

describe('by invitation', () => {
  let link: string;
  beforeEach(async () => {
    await start({ signUp: 'invitation' });
    link = await invitation();
  });
  const refused = ({ status }: BrowserAnswer) => expect(status).toBe(403);

  test('creates one account per invitation', async () => {
    refused(await browser.get('/sign-up'));
    refused(await browser.get(`${link}x`));
    expect((await signUp(DORA, link)).status).toBe(303);
    refused(await openBrowser(app).get(link));
  });

  test('keeps the invitation when the form is invalid', async () => {
    expect((await signUp({ ...DORA, password: 'x' }, link)).status).toBe(400);
    expect((await signUp(DORA, link)).status).toBe(303);
  });

  test('accepts one of several concurrent uses of an invitation', async () => {
    const names = ['dora', 'ella', 'finn'];
    const answers = await Promise.all(
      names.map((username) => signUp({ ...DORA, username }, link, openBrowser(app))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
    const { body } = await app.get(`/2/users/by?usernames=${names.join(',')}`, app.bearer);
    expect(body.data).toHaveLength(1);
  });

  test('expires after fourteen days', async () => {
    nowMs += 14 * DAY_MS;
    refused(await browser.get(link));
  });

  test('becomes invalid when an operator withdraws it', async () => {
    const operator = openBrowser(app);
    await operator.signIn('alice', PASSWORDS.alice);
    const page = await operator.get('/operator-desk/invitations');
    expect(textOf(page)).toContain('For Dora');
    const hash = /name="invitation" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(link).not.toContain(hash);
    await send(
      operator,
      '/operator-desk/invitations',
      { invitation: hash },
      '/operator-desk/invitations/withdraw',
    );
    refused(await browser.get(link));
    expect(textOf(await operator.get('/operator-desk/invitations'))).not.toContain('For Dora');
  });
});
