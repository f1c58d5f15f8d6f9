import { expect, test } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { APP, POSTS } from '../support/world.js';
import { startReceiver } from '../webhooks/support/receiver.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const START = '2026-01-01T00:00:00.000Z';
const frozen = { flags: { sandboxSeed: '1' } };

const advance = async ({ control }: TestSandbox, body: object): Promise<string> => {
  const answer = await control('POST', '/clock/advance', body);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body.data.time as string;
};

test('the clock runs with the real time, can be stopped, moved forward and run again', async () => {
  let nowMs = Date.parse('2025-06-01T10:00:00Z');
  await using pipit = await startTestSandbox({ clock: () => nowMs });
  const show = async () => (await pipit.control('GET', '/clock')).body.data;
  expect(await show()).toEqual({ time: '2025-06-01T10:00:00.000Z', mode: 'running' });
  nowMs += 5_000;
  expect((await show()).time).toBe('2025-06-01T10:00:05.000Z');
  expect((await pipit.control('POST', '/clock/freeze')).body.data.mode).toBe('frozen');
  nowMs += 5_000;
  expect(await show()).toEqual({ time: '2025-06-01T10:00:05.000Z', mode: 'frozen' });
  expect(await advance(pipit, { seconds: 55 })).toBe('2025-06-01T10:01:00.000Z');
  expect((await pipit.control('PUT', '/clock', { time: '2025-06-01T12:00:00Z' })).status).toBe(200);
  expect((await pipit.control('POST', '/clock/run')).body.data.mode).toBe('running');
  nowMs += 1_000;
  expect((await show()).time).toBe('2025-06-01T12:00:01.000Z');
  expect(await advance(pipit, { milliseconds: 250 })).toBe('2025-06-01T12:00:01.250Z');
  const frozenLater = await pipit.control('POST', '/clock/freeze', { time: '2025-06-02T00:00:00Z' });
  expect(frozenLater.body.data).toEqual({ time: '2025-06-02T00:00:00.000Z', mode: 'frozen' });
});

test('the clock never moves back, and a movement has one measure', async () => {
  await using pipit = await startTestSandbox(frozen);
  const refused = [
    await pipit.control('PUT', '/clock', { time: '2025-12-31T23:59:59Z' }),
    await pipit.control('PUT', '/clock', { time: '2090-01-01T00:00:00Z' }),
    await pipit.control('PUT', '/clock', { time: 'tomorrow' }),
    await pipit.control('PUT', '/clock'),
    await pipit.control('POST', '/clock/freeze', { time: '2025-01-01T00:00:00Z' }),
    await pipit.control('POST', '/clock/advance'),
    await pipit.control('POST', '/clock/advance', { seconds: 1, duration: '1s' }),
    await pipit.control('POST', '/clock/advance', { seconds: -1 }),
    await pipit.control('POST', '/clock/advance', { duration: '2 hours' }),
    await pipit.control('POST', '/clock/advance', { duration: '' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
  expect((await pipit.control('GET', '/clock')).body.data.time).toBe(START);
  expect(await advance(pipit, { duration: '1d2h30m' })).toBe('2026-01-02T02:30:00.000Z');
});

test('tokens expire by the clock', async () => {
  await using pipit = await startTestSandbox(frozen);
  const token = await pipit.tokenOf('alice');
  await advance(pipit, { duration: '119m' });
  expect((await pipit.send('GET', '/2/users/me', token)).status).toBe(200);
  await advance(pipit, { duration: '1m' });
  expect((await pipit.send('GET', '/2/users/me', token)).status).toBe(401);
});

test('polls end by the clock, and posts have its time', async () => {
  await using pipit = await startTestSandbox(frozen);
  const token = await pipit.tokenOf('alice');
  const poll = { options: ['heron', 'kingfisher'], duration_minutes: 60 };
  const { id } = (await pipit.send('POST', '/2/tweets', token, { text: 'Which one?', poll })).body.data;
  const path = `/2/tweets/${id}?expansions=attachments.poll_ids&poll.fields=voting_status&tweet.fields=created_at`;
  const first = (await pipit.send('GET', path, token)).body;
  expect([first.data.created_at, first.includes.polls[0].voting_status]).toEqual([START, 'open']);
  await advance(pipit, { duration: '61m' });
  expect((await pipit.send('GET', path, token)).body.includes.polls[0].voting_status).toBe('closed');
});

test('rate windows end by the clock', async () => {
  await using pipit = await startTestSandbox({ flags: { ...frozen.flags, rateLimits: 'standard' } });
  const left = async () =>
    Number(
      (await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token)).headers.get(
        'x-rate-limit-remaining',
      ),
    );
  const first = await left();
  expect(await left()).toBe(first - 1);
  await advance(pipit, { duration: '14m' });
  expect(await left()).toBe(first - 2);
  await advance(pipit, { duration: '1m' });
  expect(await left()).toBe(first);
});

test('uploads expire by the clock, and housekeeping deletes them', async () => {
  await using pipit = await startTestSandbox(frozen);
  const token = await pipit.tokenOf('alice');
  const begun = { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 100 };
  const { id } = (await pipit.send('POST', '/2/media/upload/initialize', token, begun)).body.data;
  const status = async () =>
    (await pipit.send('GET', `/2/media/upload?command=STATUS&media_id=${id}`, await pipit.tokenOf('alice')))
      .status;
  expect(await status()).toBe(200);
  await advance(pipit, { duration: '25h' });
  expect(await status()).toBe(404);
});

test('signatures of OAuth 1.0a have the time of the machine, whatever the clock of the sandbox shows', async () => {
  await using pipit = await startTestSandbox(frozen);
  const { data } = (await pipit.control('POST', '/tokens', { username: 'alice', kind: 'oauth1' })).body;
  const url = `${pipit.url}/2/users/me`;
  const statusAt = async (timeMs: number, nonce: string) => {
    const authorization = signHeader({
      method: 'GET',
      url,
      consumerKey: data.api_key,
      consumerSecret: data.api_secret,
      token: data.access_token,
      tokenSecret: data.access_token_secret,
      timestampSeconds: Math.floor(timeMs / 1_000),
      nonce,
    });
    return (await fetch(url, { headers: { authorization } })).status;
  };
  const nowMs = Date.now();
  expect(await statusAt(nowMs, 'one')).toBe(200);
  expect(await statusAt(nowMs, 'one')).toBe(401);
  expect(await statusAt(Date.parse(START), 'two')).toBe(401);
});

test('an open stream outlives a jump of the clock, and hears what happens after it', async () => {
  await using pipit = await startTestSandbox(frozen);
  const rules = '/2/tweets/search/stream/rules';
  await pipit.send('POST', rules, APP.bearer_token, { add: [{ value: 'heron' }] });
  const headers = { authorization: `Bearer ${APP.bearer_token}` };
  const stream = await fetch(`${pipit.url}/2/tweets/search/stream`, { headers });
  const reader = stream.body?.getReader();
  await advance(pipit, { duration: '3h' });
  const second = await fetch(`${pipit.url}/2/tweets/search/stream`, { headers });
  expect(second.status).toBe(429);
  await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A heron after the jump' });
  let heard = '';
  while (!heard.includes('after the jump')) heard += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
});

test('an advance does everything that becomes due in its order: a webhook hears each attempt at its own time', async () => {
  await using receiver = await startReceiver(APP.api_secret);
  const { port } = new URL(receiver.url());
  await using pipit = await startTestSandbox({
    flags: { ...frozen.flags, webhooksTo: [`127.0.0.1:${port}`] },
  });
  const hook = await pipit.send('POST', '/2/webhooks', APP.bearer_token, { url: receiver.url() });
  await pipit.send('POST', '/2/tweets/search/stream/rules', APP.bearer_token, { add: [{ value: 'heron' }] });
  await pipit.send('POST', `/2/tweets/search/webhooks/${hook.body.data.id}`, APP.bearer_token);
  let failures = 3;
  receiver.answers.post = () => (failures-- > 0 ? 500 : 200);
  await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A heron for the webhook' });
  await advance(pipit, { duration: '0s' });
  const checksBefore = receiver.checks;
  expect(receiver.received.length).toBeLessThan(4);
  await advance(pipit, { duration: '5h' });
  expect(receiver.received).toHaveLength(4);
  // Webhooks are checked each hour.
  expect(receiver.checks - checksBefore).toBe(5);
});

test('webhooks are checked each hour in a short movement, and each day in one of more than 30 days', async () => {
  await using receiver = await startReceiver(APP.api_secret);
  const { port } = new URL(receiver.url());
  await using pipit = await startTestSandbox({
    flags: { ...frozen.flags, webhooksTo: [`127.0.0.1:${port}`] },
  });
  await pipit.send('POST', '/2/webhooks', APP.bearer_token, { url: receiver.url() });
  const checksIn = async (duration: string): Promise<number> => {
    const before = receiver.checks;
    await advance(pipit, { duration });
    return receiver.checks - before;
  };
  expect(await checksIn('2d')).toBe(48);
  expect(await checksIn('31d')).toBe(31);
});

test('requests are answered while the clock moves', async () => {
  await using pipit = await startTestSandbox();
  const token = await pipit.tokenOf('alice');
  let isMoving = true;
  const statuses = new Set<number>();
  const send = async (): Promise<void> => {
    for (let count = 0; isMoving; count += 1)
      statuses.add((await pipit.send('POST', '/2/tweets', token, { text: `Heron ${count}` })).status);
  };
  const sending = send();
  for (let count = 0; count < 20; count += 1) await advance(pipit, { duration: '5m' });
  isMoving = false;
  await sending;
  expect([...statuses]).toEqual([201]);
});

test('a year passes in seconds', async () => {
  await using pipit = await startTestSandbox(frozen);
  expect(await advance(pipit, { duration: '365d' })).toBe('2027-01-01T00:00:00.000Z');
  expect((await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token)).status).toBe(200);
});
