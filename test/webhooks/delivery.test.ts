import { describe, expect, test } from 'vitest';
import { sql } from '../../src/database/sql.js';
import { enqueueHousekeeping } from '../../src/services/jobs/housekeeping.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP } from '../support/world.js';
import { hmac, type Receiver, startReceiver } from './support/receiver.js';
import { ok, register, useWebhookApp } from './support/webhook-app.js';

/** The filtered stream by webhook: what is delivered, in which order, and when again (docs/api/webhooks.md). */

const HOUR_MS = 3_600_000;

const used = useWebhookApp();

const link = (id: string, query = '') =>
  ok(used.app.post(`/2/tweets/search/webhooks/${id}${query}`, used.app.bearer)).then(({ data }) =>
    expect(data).toEqual({ provisioned: true }),
  );

async function linked(path?: string, query?: string): Promise<string> {
  const id = await register(used, path);
  await link(id, query);
  return id;
}

async function addRule(value: string, tag?: string): Promise<string> {
  const body = await ok(
    used.app.post('/2/tweets/search/stream/rules', used.app.bearer, { add: [{ value, tag }] }),
  );
  return body.data[0].id as string;
}

const post = async (text: string): Promise<string> =>
  (await ok(used.app.post('/2/tweets', await used.app.as('alice'), { text }))).data.id as string;

const run = () => used.app.pipit.webhooks.runDue();
const texts = (path?: string): string[] =>
  used.receiver.received
    .filter((each) => path === undefined || each.path === path)
    .map(({ body }) => body.data.text as string);

async function webhook(): Promise<LooseJson> {
  return (await used.app.get('/2/webhooks', used.app.bearer)).body.data[0] as LooseJson;
}

test('a matching post arrives as a signed message of the stream', async () => {
  const rule = await addRule('heron', 'birds');
  await linked('/events?of=birds', '?tweet.fields=author_id&expansions=author_id&user.fields=verified');
  await post('nothing of interest');
  const id = await post('A heron 👍🏽 & more');
  await run();
  expect(used.receiver.received).toHaveLength(1);
  const [{ path, headers, text, body }] = used.receiver.received as [Receiver['received'][number]];
  expect(path).toBe('/events');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-twitter-webhooks-signature']).toBe(hmac(APP.api_secret, text));
  expect(body).toEqual({
    data: { id, text: 'A heron 👍🏽 &amp; more', edit_history_tweet_ids: [id], author_id: '1001' },
    includes: { users: [{ id: '1001', name: 'Alice', username: 'alice', verified: false }] },
    matching_rules: [{ id: rule, tag: 'birds' }],
  });
});

test('links are listed with their fields, replaced, and removed', async () => {
  const id = await linked('/', '?tweet.fields=lang&expansions=author_id');
  const list = async () =>
    (await ok(used.app.get('/2/tweets/search/webhooks', used.app.bearer))).data as LooseJson[];
  expect(await list()).toEqual([
    {
      application_id: APP.id,
      business_user_id: '1001',
      created_at: expect.any(String),
      fields: ['author_id', 'lang'],
      instance_id: APP.id,
      webhook_id: id,
    },
  ]);
  await link(id);
  expect((await list())[0]?.fields).toEqual([]);
  const remove = () => ok(used.app.delete(`/2/tweets/search/webhooks/${id}`, used.app.bearer));
  expect([await remove(), await remove()]).toEqual([
    { data: { deleted: true } },
    { data: { deleted: false } },
  ]);
  expect(await list()).toEqual([]);
  const { status, body } = await used.app.post('/2/tweets/search/webhooks/17', used.app.bearer);
  expect([status, body.errors[0].message]).toEqual([400, expect.stringMatching(/^WebhookIdInvalid: /)]);
});

test('nothing arrives without a link, without rules, or of posts before the link', async () => {
  await addRule('heron');
  const id = await register(used);
  await post('heron one');
  await run();
  await link(id);
  await run();
  await ok(used.app.post('/2/tweets/search/stream/rules?delete_all=true', used.app.bearer));
  await post('heron two');
  await run();
  expect(texts()).toEqual([]);
});

test('posts after the registration arrive, even if the work begins later', async () => {
  await addRule('heron');
  await linked();
  await post('heron one');
  await run();
  expect(texts()).toEqual(['heron one']);
});

test('each webhook gets its own messages in the order of the posts', async () => {
  await addRule('heron');
  await linked('/a');
  await linked('/b', '?tweet.fields=lang');
  const sent: string[] = [];
  for (let n = 0; n < 50; n++) {
    await post(`heron ${n}`);
    sent.push(`heron ${n}`);
    if (n % 20 === 0) await run();
  }
  await run();
  expect(texts('/a')).toEqual(sent);
  expect(texts('/b')).toEqual(sent);
  expect(used.receiver.received.filter(({ body }) => 'lang' in body.data)).toHaveLength(50);
});

test('protected posts, and posts that are deleted before, do not arrive', async () => {
  await addRule('heron');
  await linked();
  await ok(used.app.post('/2/tweets', await used.app.as('dave'), { text: 'a secret heron' }));
  const id = await post('a short-lived heron');
  await ok(used.app.delete(`/2/tweets/${id}`, await used.app.as('alice')));
  await post('an open heron');
  await run();
  expect(texts()).toEqual(['an open heron']);
});

describe('after a failure', () => {
  test.each([
    ['status 500', () => 500],
    ['status 404', () => 404],
    ['a redirect', () => 302],
  ])('of %s the message is sent again, and those after it wait', async (_what, fail) => {
    await addRule('heron');
    await linked();
    used.receiver.answers.post = fail;
    await post('heron one');
    await post('heron two');
    await run();
    await run();
    expect(texts()).toEqual(['heron one']);
    used.receiver.answers.post = () => 200;
    used.nowMs += 1_000;
    await run();
    expect(texts()).toEqual(['heron one', 'heron one', 'heron two']);
  });

  test('of the connection it is sent again too', async () => {
    await addRule('heron');
    await linked();
    const { port } = used.receiver;
    await used.receiver.close();
    await post('heron one');
    await run();
    used.receiver = await startReceiver(APP.api_secret, port);
    used.nowMs += 1_000;
    await run();
    expect(texts()).toEqual(['heron one']);
  });

  test('other webhooks go on', async () => {
    await addRule('heron');
    await linked('/a');
    await linked('/b');
    used.receiver.answers.post = ({ path }) => (path === '/a' ? 500 : 204);
    await post('heron one');
    await post('heron two');
    await run();
    expect([texts('/a'), texts('/b')]).toEqual([['heron one'], ['heron one', 'heron two']]);
  });

  test('the pauses double up to an hour', async () => {
    await addRule('heron');
    await linked();
    used.receiver.answers.post = () => 500;
    await post('heron');
    const attemptsAtMs: number[] = [];
    const startMs = used.nowMs;
    /** Smaller than every pause. */
    const stepMs = () => 100 + Math.round((used.nowMs - startMs) / 25);
    await run();
    while (used.nowMs < startMs + 3 * HOUR_MS) {
      const before = used.receiver.received.length;
      used.nowMs += stepMs();
      await run();
      if (used.receiver.received.length > before) attemptsAtMs.push(used.nowMs - startMs);
    }
    const pauses = attemptsAtMs.map((at, index) => at - (attemptsAtMs[index - 1] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      const fullMs = Math.min(1_000 * 2 ** index, HOUR_MS);
      expect(pause, `pause ${index}`).toBeGreaterThanOrEqual(fullMs / 2);
      expect(pause, `pause ${index}`).toBeLessThanOrEqual(fullMs + stepMs());
    }
    expect(pauses.length).toBeGreaterThan(11);
  }, 60_000);

  test('for a day the webhook becomes invalid and gets nothing until PUT', async () => {
    await addRule('heron');
    const id = await linked();
    used.receiver.answers.post = () => 500;
    await post('heron one');
    let hours = 0;
    for (; (await webhook()).valid === true && hours < 48; hours++) {
      await run();
      used.nowMs += HOUR_MS;
    }
    expect([24, 25]).toContain(hours - 1);
    used.receiver.answers.post = () => 200;
    const before = used.receiver.received.length;
    await post('heron two');
    await run();
    expect(used.receiver.received).toHaveLength(before);
    await ok(used.app.put(`/2/webhooks/${id}`, used.app.bearer));
    await run();
    expect(used.receiver.received).toHaveLength(before);
    await post('heron three');
    await run();
    expect(texts().slice(before)).toEqual(['heron three']);
  }, 60_000);

  test('what has waited for a day is given up, although PUT keeps the webhook valid', async () => {
    await addRule('heron');
    const id = await linked();
    used.receiver.answers.post = () => 500;
    await post('heron old');
    await run();
    used.nowMs += 20 * HOUR_MS;
    await ok(used.app.put(`/2/webhooks/${id}`, used.app.bearer));
    used.nowMs += 5 * HOUR_MS;
    used.receiver.answers.post = () => 200;
    await post('heron new');
    await run();
    expect(texts()).toEqual(['heron old', 'heron new']);
    expect((await webhook()).valid).toBe(true);
    const waiting = sql`SELECT id FROM webhook_deliveries WHERE ended_at = ${0}`;
    expect(await used.app.pipit.backend.engine.all(waiting)).toEqual([]);
  });

  test('PUT sends what waits at once', async () => {
    await addRule('heron');
    const id = await linked();
    used.receiver.answers.post = () => 500;
    await post('heron one');
    await run();
    used.receiver.answers.post = () => 200;
    await ok(used.app.put(`/2/webhooks/${id}`, used.app.bearer));
    await run();
    expect(texts()).toEqual(['heron one', 'heron one']);
  });
});

test('ended deliveries are deleted after a day', async () => {
  await addRule('heron');
  await linked();
  await post('heron one');
  await run();
  const clean = async (): Promise<number> => {
    await used.app.pipit.backend.engine.tx('clean', (tx) => enqueueHousekeeping(used.app.pipit.jobs, tx));
    await used.app.pipit.jobs.worker.runDue();
    return (await used.app.pipit.backend.engine.all(sql`SELECT id FROM webhook_deliveries`)).length;
  };
  expect(await clean()).toBe(1);
  used.nowMs += 25 * HOUR_MS;
  expect(await clean()).toBe(0);
});

test('a webhook that is deleted gets nothing of what waits', async () => {
  await addRule('heron');
  const id = await linked();
  used.receiver.answers.post = () => 500;
  await post('heron one');
  await run();
  await ok(used.app.delete(`/2/webhooks/${id}`, used.app.bearer));
  used.receiver.answers.post = () => 200;
  await register(used, '/other');
  used.nowMs += HOUR_MS;
  await run();
  expect(texts()).toEqual(['heron one']);
});

test('a webhook that is deleted during a request gets nothing more', async () => {
  await addRule('heron');
  const id = await linked();
  await post('heron one');
  await post('heron two');
  used.receiver.answers.post = async () => {
    await used.app.delete(`/2/webhooks/${id}`, used.app.bearer);
    return 200;
  };
  await run();
  expect(texts()).toEqual(['heron one']);
});

test('new keys of the app sign the request after the one under way', async () => {
  await addRule('heron');
  await linked();
  await post('heron one');
  await post('heron two');
  let apiSecret = '';
  used.receiver.answers.post = async () => {
    const keys =
      apiSecret === '' && (await used.app.pipit.backend.apps.regenerateKeys(BigInt(APP.id) as never));
    if (keys) ({ apiSecret } = keys);
    return 200;
  };
  await run();
  const [, { headers, text }] = used.receiver.received as [unknown, Receiver['received'][number]];
  expect(headers['x-twitter-webhooks-signature']).toBe(hmac(apiSecret, text));
});

test('new keys of the app sign from then on', async () => {
  await addRule('heron');
  await linked();
  const keys = await used.app.pipit.backend.apps.regenerateKeys(BigInt(APP.id) as never);
  await post('heron');
  await run();
  const [{ headers, text }] = used.receiver.received as [Receiver['received'][number]];
  expect(headers['x-twitter-webhooks-signature']).toBe(hmac(keys?.apiSecret ?? '', text));
});
