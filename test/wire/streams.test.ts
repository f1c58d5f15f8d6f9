import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { gatherAudience, type Audience } from './support/audience.js';
import { startFront, type Front } from './support/front.js';
import type { ServerProcess } from './support/server-process.js';
import { STREAM_CLIENTS, type StreamClient } from './support/stream-clients.js';
import { ALICE_OAUTH2, APP, createWireDatabase, type WireDatabase } from './support/wire-world.js';

/**
 * Published clients read the filtered stream side by side (docs/api/streams.md#messages), while the server is replaced.
 * Those of Python that are not installed are skipped.
 */

const POSTS = 1_000;
/**
 * Posts until each client has caught up. twitter-api-v2 takes a line end that arrives by itself for a blank line, and
 * then joins two messages, so no client may fall so far behind that a read fills its buffer of 64 KiB.
 */
const BEFORE_CATCHING_UP = 50;
const AROUND = 30;
const ARGS = ['--rate-limits', 'off', '--stream-connections', '20', '--durability', 'relaxed'];
const LIMIT_MS = 20_000;

vi.setConfig({ testTimeout: 30_000, hookTimeout: 120_000 });

let database: WireDatabase;
let server: ServerProcess;
let front: Front;
let audience: Audience;

beforeAll(async () => {
  // The client xdk prints lost connections.
  vi.spyOn(console, 'error').mockReturnValue();
  database = await createWireDatabase();
  server = await database.serve(ARGS);
  front = await startFront();
  front.lead(server.port);
  await send('2/tweets/search/stream/rules', APP.bearerToken, { add: [{ value: 'heron' }] });
  audience = gatherAudience({ port: front.port, bearerToken: APP.bearerToken }, post);
  await audience.untilHeard('first');
});

afterAll(async () => {
  audience.close();
  await front.close();
  await server.end('SIGTERM');
  await database.remove();
  vi.restoreAllMocks();
});

async function send(path: string, token: string, body: object): Promise<void> {
  const answer = await fetch(`${server.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

function post(text: string): Promise<void> {
  return send('2/tweets', ALICE_OAUTH2, { text });
}

/**
 * Makes posts whose texts begin with a word, one after the other, and returns the texts. `pause` is called after each,
 * with how many there are.
 */
async function postMany(
  word: string,
  count: number,
  pause?: (made: number) => Promise<void>,
): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, n) =>
    `${word} heron 👍🏽 東京 ${n} `.repeat(1 + (n % 3)).trim(),
  );
  for (const [index, text] of texts.entries()) {
    await post(text);
    await pause?.(index + 1);
  }
  return texts;
}

/** Waits until each client that is installed has received so many posts whose texts begin with a word. */
async function untilAllHave(word: string, count: number): Promise<void> {
  const behind = (): string[] =>
    STREAM_CLIENTS.filter(
      ({ name, isHere }) => isHere && textsOf(audience.named(name), word).length < count,
    ).map(({ name }) => name);
  await vi.waitFor(() => expect(behind()).toEqual([]), LIMIT_MS);
}

/** Returns the texts that begin with one of the words, in the order of arrival. */
function textsOf(client: StreamClient | undefined, ...words: string[]): string[] {
  return client?.texts.filter((text) => words.some((word) => text.startsWith(`${word} heron`))) ?? [];
}

/** Declares the tests of clients whose server ends by a signal. */
function testEnd(signal: 'SIGTERM' | 'SIGKILL'): void {
  const before = `${signal} before`;
  const between = `${signal} between`;
  const after = `${signal} after`;
  const unaware = STREAM_CLIENTS.filter((kind) => signal === 'SIGKILL' && kind.missesCuts);
  let expected: string[];
  let news: string[];

  beforeAll(async () => {
    const earlier = await postMany(before, AROUND);
    // Clients reach the next server only when it has posts that they do not know.
    front.lead();
    await server.end(signal);
    server = await database.serve(ARGS);
    const missed = await postMany(between, AROUND);
    front.lead(server.port);
    await audience.untilHeard(
      signal,
      unaware.map(({ name }) => name),
    );
    news = await postMany(after, AROUND);
    expected = [...earlier, ...missed, ...news];
  });

  test.for(STREAM_CLIENTS)('$name connects again and gets what it asks for', async (kind, { skip }) => {
    const { name, isHere, hasBackfill } = kind;
    skip(!isHere, `${name} is not installed`);
    skip(unaware.includes(kind), kind.missesCuts);
    const client = audience.named(name);
    const [words, texts] = hasBackfill ? [[before, between, after], expected] : [[after], news];
    // A backfill repeats posts.
    const received = (): string[] => [...new Set(textsOf(client, ...words))];
    await vi.waitFor(() => expect(received()).toHaveLength(texts.length), LIMIT_MS);
    expect(received()).toEqual(texts);
  });
}

describe('when the server stops', () => testEnd('SIGTERM'));

describe('of 1,000 posts with emoji', () => {
  let expected: string[];
  beforeAll(async () => {
    expected = await postMany('many', POSTS, async (made) => {
      if (made % BEFORE_CATCHING_UP === 0) await untilAllHave('many', made);
    });
  });

  test.for(STREAM_CLIENTS)('$name receives each once and in order', async ({ name, isHere }, { skip }) => {
    skip(!isHere, `${name} is not installed`);
    const client = audience.named(name);
    await vi.waitFor(() => expect(textsOf(client, 'many')).toHaveLength(POSTS), LIMIT_MS);
    expect(textsOf(client, 'many')).toEqual(expected);
  });
});

// The last one: some clients do not come back.
describe('when the server is killed', () => testEnd('SIGKILL'));

test.for(STREAM_CLIENTS)(
  '$name passes on the message of a server that stops, and nothing else',
  ({ name, isHere, hidesErrors }, { skip }) => {
    skip(!isHere, `${name} is not installed`);
    const error = expect.objectContaining({ disconnect_type: 'OperationalDisconnect' });
    const message = expect.objectContaining({ errors: [error] });
    expect(audience.named(name)?.problems).toEqual(hidesErrors ? [] : [message]);
  },
);
