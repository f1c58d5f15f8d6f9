import { Client } from '@xdevplatform/xdk';
import { TwitterApi } from 'twitter-api-v2';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LocalAgent } from './support/local-agent.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE_OAUTH2, APP, BOB, BOB_KEYS, startWireServer } from './support/wire-world.js';

/** The streams and connections of the original platform’s SDK of 2025, unmodified (docs/api/streams.md#connections). */

interface Message {
  readonly data?: Record<string, unknown>;
  readonly errors?: { readonly disconnect_type?: string }[];
}

/** A stream of the client. */
interface Opened {
  on(event: string, listener: (message: Message) => void): unknown;
}

type Streams = Client['stream'];

/** Every stream but those of rules and activity, with the number of its partitions. */
const STREAMS: readonly [
  name: string,
  partitions: number,
  open: (of: Streams, part: number) => Promise<Opened>,
][] = [
  ['postsSample', 1, (of) => of.postsSample()],
  ['postsSample10', 2, (of, part) => of.postsSample10(part)],
  ['postsFirehose', 20, (of, part) => of.postsFirehose(part)],
  ['postsFirehoseEn', 8, (of, part) => of.postsFirehoseEn(part)],
  ['postsFirehoseJa', 2, (of, part) => of.postsFirehoseJa(part)],
  ['postsFirehoseKo', 2, (of, part) => of.postsFirehoseKo(part)],
  ['postsFirehosePt', 2, (of, part) => of.postsFirehosePt(part)],
  ['likesFirehose', 20, (of, part) => of.likesFirehose(part)],
  ['likesSample10', 2, (of, part) => of.likesSample10(part)],
  ['postsCompliance', 4, (of, part) => of.postsCompliance(part)],
  ['usersCompliance', 4, (of, part) => of.usersCompliance(part)],
  ['likesCompliance', 1, (of) => of.likesCompliance()],
  ['labelsCompliance', 1, (of) => of.labelsCompliance()],
];

let server: WireServer;
let client: Client;
/** What each stream has carried, by its name. */
const received = new Map<string, Message[]>();

beforeAll(async () => {
  server = await startWireServer({ rateLimits: 'off' });
  client = new Client({ baseUrl: server.url, bearerToken: APP.bearerToken });
  for (const [name, partitions, open] of STREAMS) {
    const messages: Message[] = [];
    received.set(name, messages);
    for (let part = 1; part <= partitions; part++) {
      const stream = await open(client.stream, part);
      stream.on('data', (message) => void messages.push(message));
      stream.on('error', () => undefined);
    }
  }
});
afterAll(() => server.close());

async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ALICE_OAUTH2}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

const dataOf = (name: string): unknown[] => (received.get(name) ?? []).flatMap(({ data }) => data ?? []);
const carried = (name: string) => expect.poll(() => dataOf(name), { timeout: 10_000 });

/** The other client, for what the credentials of alice do not allow. */
function clientOfBob(): TwitterApi {
  const { apiKey: appKey, apiSecret: appSecret } = APP;
  return new TwitterApi({ appKey, appSecret, ...BOB_KEYS }, { httpAgent: new LocalAgent(server.port) });
}

test('the streams carry what happens, each message in one partition', async () => {
  const bob = clientOfBob();
  const { id } = await send('POST', '/2/tweets', {
    text: 'The heron stands in the water of the pond and waits for the fish',
  });
  await carried('postsFirehose').toEqual([expect.objectContaining({ id })]);
  await carried('postsFirehoseEn').toEqual([expect.objectContaining({ id })]);
  await bob.v2.like(BOB.id, String(id));
  await carried('likesFirehose').toEqual([expect.objectContaining({ liked_tweet_id: id })]);
  await bob.v2.unlike(BOB.id, String(id));
  await carried('likesCompliance').toEqual([expect.objectContaining({ delete: expect.anything() })]);
  await send('DELETE', `/2/tweets/${String(id)}`);
  await carried('postsCompliance').toEqual([expect.objectContaining({ delete: expect.anything() })]);
  expect(dataOf('postsFirehose')).toHaveLength(1);
  expect(dataOf('labelsCompliance')).toEqual([]);
});

test('the client lists its connections and ends them', async () => {
  const all = STREAMS.reduce((sum, [, partitions]) => sum + partitions, 0);
  const listed = await client.connections.getConnectionHistory({ maxResults: 100 });
  expect(listed.data).toHaveLength(all);
  expect(listed.data?.[0]).toMatchObject({ endpointName: 'tweet_label_stream', clientIp: '127.0.0.1' });
  expect((await client.connections.deleteAll()).data?.successfulKills).toBe(all);
  await vi.waitFor(() => {
    for (const [name, messages] of received)
      expect(messages.at(-1)?.errors?.[0]?.disconnect_type, name).toBe('ForceDisconnect');
  });
  const ended = await client.connections.getConnectionHistory({ status: 'inactive', maxResults: 100 });
  expect(ended.data).toHaveLength(all);
  expect(ended.data?.[0]).toMatchObject({ disconnectReason: 'ForceDisconnect' });
});
