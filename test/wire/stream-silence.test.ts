import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemTimers } from '../../src/core/timers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { gatherAudience, type Audience } from './support/audience.js';
import { startFront, type Front } from './support/front.js';
import { STREAM_CLIENTS } from './support/stream-clients.js';

/**
 * Published clients on streams without posts (docs/api/streams.md#messages). Time runs ten times as fast for the signs of
 * life of the server and for clients that wait for them.
 */

const SPEED = 10;
/** What tweepy waits. */
const PATIENCE_SECONDS = 21 / SPEED;
const SILENCE_MS = 25_000 / SPEED;
const SECOND_MS = 1_000;
const LIMIT_MS = 20_000;

let app: TestApp;
let front: Front;
let audience: Audience;

beforeAll(async () => {
  const { every } = systemTimers;
  vi.spyOn(systemTimers, 'every').mockImplementation((intervalMs, work) =>
    every(intervalMs >= SECOND_MS ? intervalMs / SPEED : intervalMs, work),
  );
  vi.spyOn(console, 'error').mockReturnValue();
  app = await startTestApp({ flags: { streamConnections: '20' } });
  front = await startFront();
  front.lead(Number(new URL(await app.listen()).port));
  await app.post('/2/tweets/search/stream/rules', app.bearer, { add: [{ value: 'heron' }] });
  const token = await app.as('alice');
  const post = async (text: string): Promise<void> => {
    expect((await app.post('/2/tweets', token, { text })).status).toBe(201);
  };
  const target = { port: front.port, bearerToken: app.bearer, patienceSeconds: PATIENCE_SECONDS };
  audience = gatherAudience(target, post);
  await audience.untilHeard('first');
});

afterAll(async () => {
  audience.close();
  await front.close();
  await app.close();
  vi.restoreAllMocks();
});

test('all clients stay connected through 25 seconds of silence', async () => {
  const before = front.connections();
  await pause(SILENCE_MS);
  await audience.untilHeard('second');
  expect(front.connections()).toBe(before);
});

test('clients that wait for signs of life connect again when a connection is dead', async () => {
  const wary = STREAM_CLIENTS.filter(({ isWary, isHere }) => isWary && isHere).map(({ name }) => name);
  expect(wary).not.toEqual([]);
  front.hold();
  const others = STREAM_CLIENTS.flatMap(({ name }) => (wary.includes(name) ? [] : [name]));
  await vi.waitFor(() => audience.untilHeard('third', others), LIMIT_MS);
});
