import { expect, test } from 'vitest';
import { startActivityApp } from '../activity/support/activity-app.js';
import { APP } from '../support/world.js';
import { exportOf, startCopy, startWith } from './support/exported.js';

const HOUR_MS = 3_600_000;

test('webhooks and what goes to them are exported; loading sends nothing, and the next check is an hour later', async () => {
  let nowMs = Date.now();
  const clock = () => nowMs;
  await using from = await startActivityApp({ clock });
  const { app, webhookId } = from;
  const url = new URL((await app.get('/2/webhooks', app.bearer)).body.data[0].url as string);
  await from.subscribe('post.create', 'bob', { tag: 'herons' });
  const ownId = await from.subscribe('like.create', 'alice', { isOwn: true, direction: 'inbound' });
  const rules = { add: [{ value: 'heron', tag: 'birds' }] };
  await app.post('/2/tweets/search/stream/rules', app.bearer, rules);
  const link = `/2/tweets/search/webhooks/${webhookId}?tweet.fields=created_at,lang&expansions=author_id`;
  expect((await app.post(link, app.bearer)).status).toBe(200);
  const subscriptions = `/2/account_activity/webhooks/${webhookId}/subscriptions`;
  expect((await app.post(`${subscriptions}/all`, await from.token('alice'))).status).toBe(200);
  nowMs += 60_000;
  const tagged = { tag: 'likes' };
  expect((await app.put(`/2/activity/subscriptions/${ownId}`, app.bearer, tagged)).status).toBe(200);
  const asked = [
    '/2/webhooks',
    '/2/tweets/search/webhooks',
    `${subscriptions}/all/list`,
    '/2/activity/subscriptions',
  ];
  const options = { clock, flags: { webhooksTo: [url.host] } };
  const { world, copy } = await startCopy(
    app,
    asked.map((path) => [path, app.bearer]),
    options,
  );
  await using _copy = copy;
  expect(world.webhooks).toEqual([
    expect.objectContaining({ id: webhookId, app: APP.id, url: url.href, account_activity: ['alice'] }),
  ]);
  expect(world.activity_subscriptions).toMatchObject([
    { type: 'post.create', user: 'bob', tag: 'herons', webhook: webhookId },
    { type: 'like.create', user: 'alice', subscriber: 'alice', direction: 'inbound', tag: 'likes' },
  ]);
  await app.pipit.webhooks.stop();
  const before = from.receiver.checks;
  expect(await copy.pipit.webhooks.runDue()).toBe(true);
  expect([from.receiver.checks, from.receiver.received.length]).toEqual([before, 0]);
  const posted = await copy.post('/2/tweets', await copy.as('bob'), { text: 'A heron' });
  expect(posted.status).toBe(201);
  await copy.pipit.webhooks.runDue();
  const kinds = from.receiver.received.map(({ body }) => Object.keys(body as object).join());
  expect(kinds.length).toBeGreaterThan(1);
  nowMs += HOUR_MS;
  await copy.pipit.webhooks.runDue();
  expect(from.receiver.checks).toBe(before + 1);
  await using elsewhere = await startWith(world, { clock });
  expect((await elsewhere.get('/2/webhooks', elsewhere.bearer)).body.data[0].valid).toBe(true);
  nowMs += HOUR_MS;
  await elsewhere.pipit.webhooks.runDue();
  nowMs += 24 * HOUR_MS;
  await elsewhere.pipit.webhooks.runDue();
  expect((await elsewhere.get('/2/webhooks', elsewhere.bearer)).body.data[0].valid).toBe(false);
  expect((await exportOf(elsewhere)).webhooks).toMatchObject([
    { valid: false, invalid_reason: expect.any(String) },
  ]);
});
