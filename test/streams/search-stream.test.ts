import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeSubscription, findUserByUsername } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readStream, STREAM as PATH, type StreamReader } from './support/read-stream.js';

/** The filtered stream over sockets (docs/api/streams.md#connections). */

const NOW_MS = Math.floor(Date.now() / 1_000) * 1_000;
let nowMs: number;
let app: TestApp;
let url: string;
let alice: string;
const opened: StreamReader[] = [];
beforeEach(async () => {
  nowMs = NOW_MS;
  app = await startTestApp({ clock: () => nowMs });
  url = await app.listen();
  alice = await app.as('alice');
});
afterEach(async () => {
  for (const reader of opened.splice(0)) reader.close();
  await app.close();
});

async function connect(query = '', headers: Record<string, string> = {}): Promise<StreamReader> {
  const reader = await readStream(url, app.bearer, query, headers);
  opened.push(reader);
  return reader;
}

async function addRules(...rules: { value: string; tag?: string }[]): Promise<string[]> {
  const { status, body } = await app.post(`${PATH}/rules`, app.bearer, { add: rules });
  expect(status).toBe(201);
  return (body.data as { id: string }[]).map(({ id }) => id);
}

async function post(text: string, more: object = {}, token = alice): Promise<string> {
  const { status, body } = await app.post('/2/tweets', token, { text, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id as string;
}

describe('a stream', () => {
  test('carries new posts that match, with the rules that they match', async () => {
    const [heron, pond] = await addRules({ value: 'heron', tag: 'birds' }, { value: 'pond OR heron' });
    const reader = await connect();
    expect([reader.response.statusCode, reader.response.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    await post('nothing of interest');
    const id = await post('A heron 👍🏽');
    const message = await reader.next();
    expect(Object.keys(message)).toEqual(['data', 'matching_rules']);
    expect(message.data).toEqual({ id, text: 'A heron 👍🏽', edit_history_tweet_ids: [id] });
    const rules = message.matching_rules as { id: string }[];
    expect(rules.sort((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: heron, tag: 'birds' },
      { id: pond, tag: '' },
    ]);
  });

  test('has the requested fields and expansions', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect('?tweet.fields=author_id,lang&expansions=author_id&user.fields=verified');
    await post('heron');
    expect(await reader.next()).toMatchObject({
      data: { author_id: expect.any(String), lang: expect.any(String) },
      includes: { users: [{ username: 'alice', verified: false }] },
      matching_rules: [{ tag: '' }],
    });
  });

  test('matches the whole of a long post', async () => {
    const { engine } = app.pipit.backend;
    const user = await findUserByUsername(engine, 'alice');
    if (user)
      await engine.tx('subscribe', (tx) => changeSubscription(tx, user.id, { subscriptionType: 'Basic' }));
    await addRules({ value: 'heron' });
    const reader = await connect('?tweet.fields=note_tweet');
    const text = `${'pond '.repeat(60)}heron`;
    await post(text);
    expect(await reader.next()).toMatchObject({
      data: { text: expect.stringMatching(/^pond .*…$/), note_tweet: { text } },
    });
  });

  test('carries reposts and quotes as new posts, in order', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect();
    const bob = await app.as('bob');
    const first = await post('heron');
    const quote = await post('look', { quote_tweet_id: first }, bob);
    const { body } = await app.get('/2/users/me', bob);
    await app.post(`/2/users/${body.data.id}/retweets`, bob, { tweet_id: first });
    const seen = [await reader.next(), await reader.next(), await reader.next()];
    expect(seen.slice(0, 2).map(({ data }) => data.id)).toEqual([first, quote]);
    expect(seen[2]?.data.text).toMatch(/^RT @alice/);
  });

  test('carries edits as new posts, and their words in quotes and reposts', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect();
    const bob = await app.as('bob');
    const first = await post('a haron');
    const second = await post('a heron', { edit_options: { previous_post_id: first } });
    const quote = await post('look', { quote_tweet_id: second }, bob);
    const { body } = await app.get('/2/users/me', bob);
    await app.post(`/2/users/${body.data.id}/retweets`, bob, { tweet_id: first });
    expect((await reader.next()).data).toMatchObject({ id: second, edit_history_tweet_ids: [first, second] });
    expect((await reader.next()).data.id).toBe(quote);
    expect((await reader.next()).data.text).toBe('RT @alice: a heron');
  });

  test('shows no posts of protected accounts', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect();
    await post('a secret heron', {}, await app.as('dave'));
    const id = await post('an open heron');
    expect((await reader.next()).data.id).toBe(id);
  });

  test('is compressed for clients that take gzip, message by message', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect('', { 'accept-encoding': 'gzip' });
    expect(reader.response.headers['content-encoding']).toBe('gzip');
    for (const text of ['heron one', 'heron two']) {
      const id = await post(text);
      expect((await reader.next()).data.id).toBe(id);
    }
  });

  test('follows changes of rules while it is open, and is silent without rules', async () => {
    const [first] = await addRules({ value: 'heron' });
    const reader = await connect();
    await addRules({ value: 'pond' });
    const pond = await post('pond');
    expect((await reader.next()).data.id).toBe(pond);
    await app.post(`${PATH}/rules?delete_all=true`, app.bearer);
    await post('heron and pond');
    // Posts are matched by the rules of the moment in which the feed is read: this one comes after the post before.
    await addRules({ value: 'reed' });
    const reed = await post('reed');
    expect((await reader.next()).data.id).toBe(reed);
    const [later] = await addRules({ value: 'heron' });
    const heron = await post('heron again');
    const message = await reader.next();
    expect([message.data.id, message.matching_rules]).toEqual([heron, [{ id: later, tag: '' }]]);
    expect(later).not.toBe(first);
  });

  test('has the posts of the last minutes first when they are asked for', async () => {
    const before = [await post('heron one'), await post('nothing'), await post('heron two')];
    await addRules({ value: 'heron' });
    const reader = await connect('?backfill_minutes=5');
    const after = await post('heron three');
    const seen = [await reader.next(), await reader.next(), await reader.next()];
    expect(seen.map(({ data }) => data.id)).toEqual([before[0], before[2], after]);
  });

  test('carries many posts in order', async () => {
    await addRules({ value: 'heron' });
    const reader = await connect();
    const sent: string[] = [];
    for (let n = 0; n < 100; n++) sent.push(await post(`heron 👍🏽 ${n}`));
    const seen: string[] = [];
    while (seen.length < sent.length) seen.push((await reader.next()).data.id as string);
    expect(seen).toEqual(sent);
  });
});

describe('a time of the past', () => {
  const span = (from: number, to: number): string =>
    `?start_time=${new Date(from).toISOString()}&end_time=${new Date(to).toISOString()}`;

  test('is sent again, and then the stream ends', async () => {
    await addRules({ value: 'heron' });
    const stepMs = 120_000;
    await post('heron zero');
    nowMs += stepMs;
    const startMs = nowMs;
    const sent = [await post('heron one'), await post('heron two')];
    nowMs += stepMs;
    const endMs = nowMs;
    await post('heron three');
    nowMs += stepMs;
    const reader = await connect(span(startMs, endMs));
    expect((await reader.rest()).map(({ data }) => data.id)).toEqual(sent);
  });

  test('may be sent twice at once, beside another stream', async () => {
    await addRules({ value: 'heron' });
    for (let n = 0; n < 300; n++) await post(`heron ${n} ${'x'.repeat(200)}`);
    nowMs += 60_000;
    const past = span(nowMs - 120_000, nowMs);
    const readers = [await connect(), await connect(past), await connect(past)];
    expect(readers.map(({ response }) => response.statusCode)).toEqual([200, 200, 200]);
    expect((await readers[1]?.rest())?.length).toBe(300);
    expect((await readers[2]?.rest())?.length).toBe(300);
  });

  test.each([
    ['only its start', '?start_time=2026-01-01T00:00:00Z', 'end_time'],
    ['only its end', '?end_time=2026-01-01T00:00:00Z', 'start_time'],
    ['more than a day ago', span(NOW_MS - 25 * 3_600_000, NOW_MS), 'start_time'],
    ['in the future', span(NOW_MS, NOW_MS + 3_600_000), 'end_time'],
    ['with its end before its start', span(NOW_MS - 1_000, NOW_MS - 2_000), 'end_time'],
    ['with backfill', `${span(NOW_MS - 2_000, NOW_MS - 1_000)}&backfill_minutes=1`, 'backfill_minutes'],
  ])('is refused %s', async (_case, query, parameter) => {
    await addRules({ value: 'heron' });
    const { status, body } = await app.get(PATH + query, app.bearer);
    expect([status, Object.keys(body.errors[0].parameters)]).toEqual([400, [parameter]]);
  });
});

test('HEAD answers with headers and opens no stream', async () => {
  await addRules({ value: 'heron' });
  const answer = await fetch(url + PATH, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${app.bearer}` },
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await expect.poll(async () => (await connect()).response.statusCode).toBe(200);
});

describe('a connection is refused', () => {
  test('without rules', async () => {
    const { status, body } = await app.get(PATH, app.bearer);
    expect([status, body]).toMatchObject([
      409,
      {
        title: 'ConnectionException',
        connection_issue: 'RuleConfigurationIssue',
        type: 'https://api.twitter.com/2/problems/streaming-connection',
      },
    ]);
  });

  test('beyond the most streams of an app, until one is closed', async () => {
    await addRules({ value: 'heron' });
    const first = await connect();
    const { status, body, headers } = await app.get(PATH, app.bearer);
    expect([status, body]).toMatchObject([
      429,
      {
        title: 'ConnectionException',
        detail: 'This stream is currently at the maximum allowed connection limit.',
        connection_issue: 'TooManyConnections',
        type: 'https://api.twitter.com/2/problems/streaming-connection',
      },
    ]);
    expect(headers['content-type']).toContain('application/json');
    first.close();
    await expect.poll(async () => (await connect()).response.statusCode).toBe(200);
  });

  test('for bad parameters', async () => {
    expect((await app.get(`${PATH}?backfill_minutes=6`, app.bearer)).status).toBe(400);
  });

  test('for users', async () => {
    expect((await app.get(PATH, alice)).status).toBe(403);
  });
});

test('a server that stops tells the readers first, and they connect to another one', async () => {
  await addRules({ value: 'heron' });
  const reader = await connect();
  // The next request on the same connection would reach this server again.
  expect(reader.response.headers.connection).toBe('close');
  const rest = reader.rest();
  await app.pipit.app.drain({ lingerMs: 0, limitMs: 10_000 });
  expect(await rest).toEqual([
    {
      errors: [
        {
          title: 'operational-disconnect',
          disconnect_type: 'OperationalDisconnect',
          detail: 'This stream has been disconnected for operational reasons.',
          type: 'https://api.twitter.com/2/problems/operational-disconnect',
        },
      ],
    },
  ]);
});
