import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebhookId } from '../../src/core/ids.js';
import { addDeliveries } from '../../src/stores/webhook-deliveries.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startReceiver, type Receiver } from '../webhooks/support/receiver.js';
import { openBrowser, type Browser } from './support/browser.js';
import { actionsOf, csrfOf, expectValidPage, textOf } from './support/pages.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

/** The page of an app's webhooks. */

const PAGE = `/my-apps/${WEB_APP.id}/webhooks`;

let receiver: Receiver;
let app: TestApp;
let browser: Browser;
beforeEach(async () => {
  receiver = await startReceiver(WEB_APP.api_secret);
  app = await startTestApp({ world: webWorld(), flags: { webhooksTo: [`127.0.0.1:${receiver.port}`] } });
  browser = openBrowser(app);
  await browser.signIn('alice', PASSWORDS.alice);
});
afterEach(async () => {
  await app.close();
  await receiver.close();
});

/** Registers a webhook that gets all posts about herons, and makes one. */
async function sendHeron(text = 'A heron <b>here</b>'): Promise<string> {
  const { bearer_token: bearer } = WEB_APP;
  const { body } = await app.post('/2/webhooks', bearer, { url: receiver.url() });
  await app.post('/2/tweets/search/stream/rules', bearer, { add: [{ value: 'heron' }] });
  await app.post(`/2/tweets/search/webhooks/${body.data.id}`, bearer);
  await post(text);
  return body.data.id as string;
}

async function post(text: string): Promise<void> {
  const { status } = await app.post('/2/tweets', await app.as('alice'), { text });
  expect(status).toBe(201);
  await app.pipit.webhooks.runDue();
}

const page = async () => {
  const answer = await browser.get(PAGE);
  expect(answer.status).toBe(200);
  return answer;
};

test('an app without webhooks says how to register one', async () => {
  const shown = await page();
  expectValidPage(shown, PAGE);
  expect(textOf(shown)).toContain('The app has no webhooks');
  expect((await browser.get(`/my-apps/${WEB_APP.id}`)).text).toContain(`href="${PAGE}"`);
});

test('shows webhooks with their state and last deliveries', async () => {
  await sendHeron();
  receiver.answers.post = () => 503;
  await post('another heron');
  const shown = await page();
  expectValidPage(shown, PAGE);
  const text = textOf(shown);
  expect(text).toContain(receiver.url());
  expect(text).toContain('Delivered · status 200 · 1 attempt');
  expect(text).toContain('Failed, will be sent again · status 503 · 1 attempt');
  expect(text).toMatch(/State\s+Valid/);
  expect(text).toMatch(/Last check\s+Passed/);
  expect(shown.text).not.toContain('<b>here</b>');
});

test('the start of a long body is shown', async () => {
  const webhookId = BigInt(await sendHeron()) as WebhookId;
  const body = JSON.stringify('x'.repeat(5_000));
  const delivery = { webhookId, subscription: 'long', body, createdAtMs: Date.now(), isCopy: false };
  await app.pipit.backend.engine.tx('add', (tx) => addDeliveries(tx, [delivery]));
  const [shown = ''] = /x{1000,}.?/.exec((await page()).text) ?? [];
  expect(shown).toBe(`${'x'.repeat(1_999)}…`);
});

test('a delivery is sent again, once for each press', async () => {
  await sendHeron();
  const shown = await page();
  const action = actionsOf(shown).find((each) => each.endsWith('/repeat')) ?? '';
  for (const count of [2, 3]) {
    const answer = await browser.post(action, { csrf: csrfOf(shown.text) });
    expect([answer.status, answer.location]).toEqual([303, `${PAGE}?done=sent`]);
    await app.pipit.webhooks.runDue();
    expect(receiver.received).toHaveLength(count);
    expect(receiver.received.at(-1)?.text).toBe(receiver.received[0]?.text);
  }
});

test('a webhook is checked, and says what is wrong', async () => {
  await sendHeron();
  const check = async () => {
    const shown = await page();
    const action = actionsOf(shown).find((each) => each.endsWith('/check')) ?? '';
    const { location = '' } = await browser.post(action, { csrf: csrfOf(shown.text) });
    return textOf(await browser.get(location));
  };
  expect(await check()).toContain('The webhook passed the check');
  receiver.answers.check = (_request, response) => void response.end('{}');
  const text = await check();
  expect(text).toContain('The webhook did not pass the check.');
  expect(text).toContain(
    'Invalid: it receives nothing. A check failed. The answer has no valid response_token.',
  );
  receiver.answers.check = undefined;
  expect(await check()).toMatch(/State\s+Valid/);
});

test('is hidden from others, and its forms need a token', async () => {
  await sendHeron();
  const shown = await page();
  const actions = actionsOf(shown).filter((each) => each.startsWith(PAGE));
  expect(actions).toHaveLength(2);
  for (const action of actions) expect((await browser.post(action, { csrf: 'x' })).status).toBe(403);
  const other = openBrowser(app);
  await other.signIn('bob', PASSWORDS.bob);
  expect((await other.get(PAGE)).status).toBe(404);
  const csrf = csrfOf((await other.get('/my-apps')).text);
  for (const action of actions) expect((await other.post(action, { csrf })).status).toBe(404);
  expect(receiver.received).toHaveLength(1);
});

test('unknown deliveries and webhooks are refused', async () => {
  await sendHeron();
  const csrf = csrfOf((await page()).text);
  for (const id of ['17', 'x', '99999999999999999999']) {
    expect((await browser.post(`${PAGE}/deliveries/${id}/repeat`, { csrf })).status).toBe(404);
    expect((await browser.post(`${PAGE}/${id}/check`, { csrf })).location).toBe(`${PAGE}?done=failed`);
  }
});
