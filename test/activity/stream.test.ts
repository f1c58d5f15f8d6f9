import { afterEach, beforeEach, expect, test } from 'vitest';
import { readStream, type StreamReader } from '../streams/support/read-stream.js';
import type { LooseJson } from '../support/loose-json.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** The stream of activity (docs/api/activity.md#stream). */

const PATH = '/2/activity/stream';

let server: ActivityApp;
let url: string;
let nowMs: number;
const opened: StreamReader[] = [];
beforeEach(async () => {
  nowMs = Date.now();
  server = await startActivityApp({ clock: () => nowMs });
  url = await server.app.listen();
});
afterEach(async () => {
  for (const reader of opened.splice(0)) reader.close();
  await server.close();
});

async function open(query = ''): Promise<StreamReader> {
  const reader = await readStream(url, server.app.bearer, query, {}, PATH);
  opened.push(reader);
  return reader;
}

async function next(reader: StreamReader, count: number): Promise<LooseJson[]> {
  const seen: LooseJson[] = [];
  while (seen.length < count) seen.push((await reader.next()).data as LooseJson);
  return seen;
}

/** Returns what is the same whenever an event is sent: counts of users and posts are not. */
const keyOf = ({ event_uuid, event_type, filter, tag }: LooseJson) =>
  JSON.stringify([event_uuid, event_type, filter, tag]);

test('carries the events of all subscriptions in order, as webhooks do', async () => {
  await server.subscribe('post.create', 'bob', { tag: 'birds' });
  await server.subscribe('post.mention.create', 'alice', { isOwn: true });
  await server.subscribe('like.create', 'bob', { isOwn: true, direction: 'inbound' });
  await server.subscribe('dm.received', 'bob', { isOwn: true });
  const reader = await open();
  expect(reader.response.statusCode).toBe(200);
  const id = await server.post('bob', 'A heron 👍🏽 for @alice');
  await server.post('carol', 'not subscribed');
  await server.like('carol', id);
  await server.act('alice', 'POST', '/2/dm_conversations/with/1002/messages', { text: 'a heron' });
  const seen = await next(reader, 4);
  expect(seen.map(({ event_type }) => event_type as string)).toEqual([
    'post.create',
    'post.mention.create',
    'like.create',
    'dm.received',
  ]);
  expect(seen[0]).toMatchObject({ tag: 'birds', payload: { id, text: 'A heron 👍🏽 for @alice' } });
  expect((await server.events()).map(keyOf)).toEqual(seen.map(keyOf));
});

test('follows changes of subscriptions while it is open', async () => {
  const reader = await open();
  await server.post('bob', 'one');
  // Within a millisecond nobody knows which came first.
  nowMs += 1;
  const id = await server.subscribe('post.create', 'bob');
  await server.post('bob', 'two');
  expect((await next(reader, 1))[0]?.payload.text).toBe('two');
  await server.app.delete(`/2/activity/subscriptions/${id}`, server.app.bearer);
  await server.post('bob', 'three');
  await server.subscribe('post.delete', 'bob');
  await server.act('bob', 'DELETE', `/2/tweets/${await server.post('bob', 'four')}`);
  expect((await next(reader, 1))[0]?.event_type).toBe('post.delete');
});

test('carries the events of the last minutes again, with the same uuids', async () => {
  await server.subscribe('post.create', 'bob');
  const first = await open();
  for (const text of ['one', 'two']) await server.post('bob', text);
  const seen = await next(first, 2);
  const again = await open('?backfill_minutes=5');
  expect((await next(again, 2)).map(keyOf)).toEqual(seen.map(keyOf));
});

test.each(['backfill_minutes', 'start_time'])(
  'does not send with `%s` what happened before the subscription',
  async (parameter) => {
    await server.subscribe('post.create', 'carol');
    const startMs = nowMs;
    await server.post('carol', 'one');
    await server.act('alice', 'POST', '/2/dm_conversations/with/1002/messages', { text: 'a heron' });
    await server.relate('bob', 'muting', 'carol');
    nowMs += 60_000;
    await server.subscribe('dm.received', 'bob', { isOwn: true });
    await server.subscribe('mute.mute', 'bob', { isOwn: true });
    await server.act('alice', 'POST', '/2/dm_conversations/with/1002/messages', { text: 'two herons' });
    nowMs += 60_000;
    const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
    const range = `start_time=${time(startMs)}&end_time=${time(nowMs - 11_000)}`;
    const reader = await open(parameter === 'start_time' ? `?${range}` : '?backfill_minutes=5');
    const [first, second] = await next(reader, 2);
    expect([first?.payload.text, second?.event_type]).toEqual(['one', 'dm.received']);
    expect(JSON.stringify(second)).toContain('two herons');
  },
);

test('an app may have two, and users none', async () => {
  await open();
  await open();
  const { status, body } = await server.app.get(PATH, server.app.bearer);
  expect([status, body.connection_issue]).toEqual([429, 'TooManyConnections']);
  expect((await server.app.get(PATH, await server.token('alice'))).status).toBe(403);
});
