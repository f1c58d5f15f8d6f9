import { expect, test } from 'vitest';
import { APP } from '../support/world.js';
import { hmac } from './support/receiver.js';
import { ok, register, useWebhookApp } from './support/webhook-app.js';

/** What a replay sends, and when it is refused (docs/api/webhooks.md#replay). */

const HOUR_MS = 3_600_000;

const used = useWebhookApp();

async function linked(): Promise<string> {
  const id = await register(used);
  await ok(used.app.post(`/2/tweets/search/webhooks/${id}`, used.app.bearer));
  return id;
}

const addRule = (value: string) =>
  ok(used.app.post('/2/tweets/search/stream/rules', used.app.bearer, { add: [{ value }] }));
const post = async (text: string) => ok(used.app.post('/2/tweets', await used.app.as('alice'), { text }));
const run = () => used.app.pipit.webhooks.runDue();

const minuteOf = (timeMs: number) => new Date(timeMs).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
const replay = (id: string, fromMs: number, toMs: number) =>
  used.app.post('/2/webhooks/replay', used.app.bearer, {
    webhook_id: id,
    from_date: minuteOf(fromMs),
    to_date: minuteOf(toMs),
  });

test('a replay sends what was sent in its minutes once more, in order, and then its end', async () => {
  await addRule('heron');
  const id = await linked();
  const startMs = used.nowMs;
  for (const name of ['early', 'one', 'two', 'late']) {
    await post(`heron ${name}`);
    await run();
    used.nowMs += 10 * 60_000;
  }
  const { data } = await ok(replay(id, startMs + 10 * 60_000, startMs + 20 * 60_000));
  expect(data).toEqual({ job_id: expect.any(String), created_at: expect.any(String) });
  await used.app.pipit.jobs.worker.runDue();
  await run();
  const again = used.receiver.received.slice(4);
  expect(again.slice(0, 2).map(({ text }) => text)).toEqual(
    used.receiver.received.slice(1, 3).map(({ text }) => text),
  );
  expect(again[0]?.headers['x-twitter-webhooks-signature']).toBe(hmac(APP.api_secret, again[0]?.text ?? ''));
  expect(again.slice(2).map(({ body }) => body)).toEqual([
    {
      replay_job_status: {
        webhook_id: id,
        job_state: 'Complete',
        job_state_description: 'Job completed successfully',
        job_id: data.job_id,
      },
    },
  ]);
});

test('a replay does not repeat repetitions, and is not held up by what fails', async () => {
  await addRule('heron');
  const id = await linked();
  await post('heron one');
  await run();
  used.receiver.answers.post = ({ body }) => (body.data?.text === 'heron two' ? 500 : 200);
  await post('heron two');
  await run();
  for (const count of [1, 2]) {
    await ok(replay(id, used.nowMs, used.nowMs));
    await used.app.pipit.jobs.worker.runDue();
    await run();
    expect(used.receiver.received.filter(({ body }) => body.data?.text === 'heron one')).toHaveLength(
      1 + count,
    );
  }
});

test('a replay of many deliveries takes several steps', async () => {
  await addRule('heron');
  const id = await linked();
  for (let n = 0; n < 210; n++) await post(`heron ${n}`);
  await run();
  await ok(replay(id, used.nowMs, used.nowMs));
  await used.app.pipit.jobs.worker.runDue();
  await run();
  const sent = used.receiver.received.map(({ text }) => text);
  expect(sent.slice(210, 420)).toEqual(sent.slice(0, 210));
  expect(sent).toHaveLength(421);
}, 60_000);

test('a replay is refused until the one before has ended', async () => {
  await addRule('heron');
  const id = await linked();
  const other = await register(used, '/other');
  await post('heron one');
  await run();
  const start = async (webhookId = id) => {
    const { status, body } = await replay(webhookId, used.nowMs, used.nowMs);
    return status === 200 ? 'started' : (body.errors[0].message as string).split(':')[0];
  };
  expect(await Promise.all([start(), start()])).toEqual(expect.arrayContaining(['started', 'ReplayRunning']));
  expect(await start(other)).toBe('started');
  await used.app.pipit.jobs.worker.runDue();
  expect(await start()).toBe('ReplayRunning');
  await run();
  expect(await start()).toBe('started');
});

test('a replay is refused outside of the last 24 hours, backwards, and for others', async () => {
  const id = await register(used);
  const bodies = [
    [id, minuteOf(used.nowMs - 25 * HOUR_MS), minuteOf(used.nowMs)],
    [id, minuteOf(used.nowMs), minuteOf(used.nowMs + HOUR_MS)],
    [id, minuteOf(used.nowMs), minuteOf(used.nowMs - HOUR_MS)],
    [id, '2026112', '2026112'],
    [id, '202613011200', '202613011200'],
    ['17', minuteOf(used.nowMs), minuteOf(used.nowMs)],
  ];
  for (const [webhook_id, from_date, to_date] of bodies) {
    const { status } = await used.app.post('/2/webhooks/replay', used.app.bearer, {
      webhook_id,
      from_date,
      to_date,
    });
    expect(status, from_date).toBe(400);
  }
});
