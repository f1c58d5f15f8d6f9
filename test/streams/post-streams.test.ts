import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplePercentile } from '../../src/core/id-shares.js';
import type { LooseJson } from '../support/loose-json.js';
import { startStreamServer, type StreamServer } from './support/open-streams.js';

/** Streams of all posts or a share of them (docs/api/streams.md#connections). */

const POSTS = 250;

let server: StreamServer;
/** The ids of all public posts in order. */
const ids: string[] = [];
beforeAll(async () => {
  server = await startStreamServer();
  for (let n = 0; n < POSTS; n++) {
    if (n % 50 === 0) await server.post(`a secret ${n}`, {}, 'dave');
    ids.push(await server.post(`heron 👍🏽 ${n}`));
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const idsOf = (messages: readonly LooseJson[]): string[] => messages.map(({ data }) => data.id as string);
const ordered = (found: readonly string[]): string[] =>
  [...found].sort((one, other) => (one < other ? -1 : 1));
const sampled = (percent: number): string[] => ids.filter((id) => samplePercentile(BigInt(id)) < percent);

test.each([
  ['/2/tweets/firehose/stream', 20, 100],
  ['/2/tweets/sample10/stream', 2, 10],
])('each post of %s is in exactly one of the partitions, in order', async (path, partitions, percent) => {
  const all: string[] = [];
  for (let partition = 1; partition <= partitions; partition++) {
    const found = idsOf(await server.recover(`${path}?partition=${partition}`));
    expect(found).toEqual(ordered(found));
    expect(found.length).toBeGreaterThan(0);
    all.push(...found);
  }
  expect(ordered(all)).toEqual(sampled(percent));
});

test('the sample carries one post in a hundred, always the same', async () => {
  await using other = await startStreamServer();
  const reader = await other.open('/2/tweets/sample/stream');
  const expected: string[] = [];
  while (expected.length < 2) {
    const id = await other.post(`heron ${Math.random()}`);
    if (samplePercentile(BigInt(id)) === 0) expected.push(id);
  }
  expect([(await reader.next()).data.id, (await reader.next()).data.id]).toEqual(expected);
  reader.close();
  const again = await other.open('/2/tweets/sample/stream?backfill_minutes=5');
  expect([(await again.next()).data.id, (await again.next()).data.id]).toEqual(expected);
});

describe('a stream', () => {
  test('has the requested fields and expansions', async () => {
    const [message] = await server.recover(
      '/2/tweets/firehose/stream?partition=3&tweet.fields=lang&expansions=author_id&user.fields=verified',
    );
    expect(message).toMatchObject({
      data: { lang: expect.any(String), author_id: expect.any(String) },
      includes: { users: [{ username: 'alice', verified: false }] },
    });
  });

  test.each(['en', 'ja', 'ko', 'pt'])('in %s has the posts in this language', async (language) => {
    await using other = await startStreamServer();
    const texts = {
      en: 'The heron stands in the water of the pond and waits for the fish',
      ja: 'サギは池の水の中に立って魚を待っています',
      ko: '왜가리가 연못 물속에 서서 물고기를 기다리고 있습니다',
      pt: 'A garça está parada na água do lago e espera pelos peixes que não vêm',
    };
    const found = new Map<string, string>();
    for (const [name, text] of Object.entries(texts)) found.set(name, await other.post(text));
    const path = `/2/tweets/firehose/stream/lang/${language}`;
    const messages: LooseJson[] = [];
    for (let partition = 1; partition <= (language === 'en' ? 8 : 2); partition++)
      messages.push(...(await other.recover(`${path}?partition=${partition}`)));
    expect(idsOf(messages)).toEqual([found.get(language)]);
  });

  test.each([
    ['/2/tweets/firehose/stream', 'partition'],
    ['/2/tweets/firehose/stream?partition=21', 'partition'],
    ['/2/tweets/firehose/stream/lang/en?partition=9', 'partition'],
    ['/2/tweets/firehose/stream/lang/ja?partition=3', 'partition'],
    ['/2/tweets/sample10/stream', 'partition'],
    ['/2/tweets/sample10/stream?partition=0', 'partition'],
    ['/2/tweets/sample/stream?partition=1', 'partition'],
    ['/2/tweets/sample/stream?start_time=2026-01-01T00:00:00Z', 'start_time'],
    ['/2/tweets/sample/stream?backfill_minutes=6', 'backfill_minutes'],
  ])('%s is refused for %s', async (path, parameter) => {
    const { status, body } = await server.app.get(path, server.app.bearer);
    expect([status, Object.keys(body.errors[0].parameters)]).toEqual([400, [parameter]]);
  });

  test('may be open once for each partition', async () => {
    const path = '/2/tweets/firehose/stream?partition=';
    const readers = [await server.open(`${path}1`), await server.open(`${path}2`)];
    const { status, body } = await server.app.get(`${path}2`, server.app.bearer);
    expect([status, body.connection_issue]).toEqual([429, 'TooManyConnections']);
    for (const reader of readers) reader.close();
  });
});

test('streams with the same parameters get the same messages', async () => {
  await using other = await startStreamServer({ flags: { streamConnections: '3' } });
  // Of two partitions each has some of thirty posts.
  const path = '/2/tweets/firehose/stream/lang/ja?partition=1';
  const readers = [
    await other.open(path),
    await other.open(path),
    await other.open(`${path}&tweet.fields=lang`),
  ];
  let last = '';
  for (let n = 0; n < 30; n++) last = await other.post(`アオサギが池の上をゆっくり飛んでいく ${n}`);
  const all = idsOf(await other.recover(path));
  expect(all.length).toBeGreaterThan(0);
  for (const [index, reader] of readers.entries())
    for (const id of all) {
      const { data } = await reader.next();
      expect([data.id, 'lang' in data]).toEqual([id, index === 2]);
    }
  expect(last).not.toBe('');
});
