import { afterEach, beforeEach, expect, test } from 'vitest';
import { samplePercentile } from '../../src/core/id-shares.js';
import type { LooseJson } from '../support/loose-json.js';
import { USERS } from '../support/world.js';
import { startStreamServer, type StreamServer } from './support/open-streams.js';

/** Streams of likes (docs/api/streams.md#likes). */

const FIREHOSE = '/2/likes/firehose/stream';
const SAMPLE = '/2/likes/sample10/stream';
const POSTS = 60;

let server: StreamServer;
beforeEach(async () => {
  server = await startStreamServer();
});
afterEach(() => server[Symbol.asyncDispose]());

async function like(postId: string, username: 'bob' | 'dave'): Promise<void> {
  const token = await server.app.as(username);
  const { status } = await server.app.post(`/2/users/${USERS[username]}/likes`, token, { tweet_id: postId });
  expect(status).toBe(200);
}

async function recoverAll(path: string, partitions: number, query = ''): Promise<LooseJson[]> {
  const all: LooseJson[] = [];
  for (let partition = 1; partition <= partitions; partition++)
    all.push(...(await server.recover(`${path}?partition=${partition}${query}`)));
  return all;
}

test('each like is in exactly one partition, and one in ten in the sample', async () => {
  const ids: string[] = [];
  for (let n = 0; n < POSTS; n++) {
    const id = await server.post(`heron ${n}`);
    await like(id, 'bob');
    ids.push(id);
  }
  const all = await recoverAll(FIREHOSE, 20);
  expect(all.map(({ data }) => data.liked_tweet_id).sort()).toEqual(ids);
  expect(all[0]?.data).toEqual({
    id: expect.stringMatching(/^[A-Za-z0-9_]{1,40}$/),
    created_at: expect.any(String),
    liked_tweet_id: expect.any(String),
    timestamp_ms: expect.any(Number),
    tweet_author_id: USERS.alice,
  });
  const sample = await recoverAll(SAMPLE, 2);
  const expected = all.filter(({ data }) => samplePercentile(BigInt(data.id as string)) < 10);
  expect(sample.map(({ data }) => data.id).sort()).toEqual(expected.map(({ data }) => data.id).sort());
});

test('likes have the requested fields and expansions', async () => {
  const id = await server.post('a heron');
  await like(id, 'bob');
  const query =
    '&like_with_tweet_author.fields=liked_tweet_author_id&expansions=liked_tweet_id,liked_tweet_author_id' +
    '&tweet.fields=lang&user.fields=verified';
  expect(await recoverAll(FIREHOSE, 20, query)).toMatchObject([
    {
      data: { liked_tweet_id: id, liked_tweet_author_id: USERS.alice },
      includes: {
        tweets: [{ id, text: 'a heron', lang: expect.any(String) }],
        users: [{ id: USERS.alice, username: 'alice', verified: false }],
      },
    },
  ]);
});

test('likes by and of protected accounts are left out', async () => {
  const [open, secret] = [await server.post('a heron'), await server.post('a secret', {}, 'dave')];
  await like(open, 'dave');
  await like(secret, 'bob');
  await like(open, 'bob');
  const all = await recoverAll(FIREHOSE, 20);
  expect(all.map(({ data }) => data.liked_tweet_id)).toEqual([open]);
});

test('a like comes live', async () => {
  const readers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => server.open(`${FIREHOSE}?partition=${n + 1}`)),
  );
  const id = await server.post('a heron');
  await like(id, 'bob');
  const message = await Promise.race(readers.map((reader) => reader.next()));
  expect(message.data.liked_tweet_id).toBe(id);
});

test.each([FIREHOSE, `${FIREHOSE}?partition=21`, `${SAMPLE}?partition=3`])('%s is refused', async (path) => {
  expect((await server.app.get(path, server.app.bearer)).status).toBe(400);
});
