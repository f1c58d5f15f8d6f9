import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { callerIdOf } from '../../src/recording/seen-answer.js';
import { startRecording } from '../../src/recording/recording.js';
import { SeenNetwork } from '../../src/recording/seen-network.js';
import { worldOf } from '../../src/recording/world-of.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { standardWorld } from '../support/world.js';

/** What `pipit record` makes of answers of v1.1, of messages and of Spaces (docs/recording.md). */

const id = (n: number): string => String(1_530_000_000_000_000_000n + BigInt(n));
const GROUP = id(900);
const at = '2022-06-01T12:00:00.000Z';
const long = `Long & wide ${'reed '.repeat(40)}end`;

const world = {
  users: [
    { id: '2000000000000000011', username: 'alice', name: 'Alice', description: 'Reads', location: 'Pond' },
    { id: '12', username: 'bob', name: 'Bob', protected: false, created_at: '2019-02-03T04:05:06Z' },
    { id: '13', username: 'carol', name: 'Carol', verified: true },
  ],
  follows: [
    { from: 'bob', to: 'alice' },
    { from: 'carol', to: 'alice' },
  ],
  media: [
    {
      media_key: '3_77',
      type: 'photo',
      url: 'https://pictures.example/1.jpg',
      width: 4,
      height: 3,
      alt_text: 'A reed',
    },
    { media_key: '5_78', type: 'photo', url: 'https://pictures.example/2.jpg', width: 4, height: 3 },
    {
      media_key: '7_79',
      type: 'video',
      width: 40,
      height: 30,
      duration_ms: 5000,
      preview_image_url: 'https://pictures.example/3.jpg',
      variants: [{ bit_rate: 1000, content_type: 'video/mp4', url: 'https://pictures.example/3.mp4' }],
    },
  ],
  places: [
    {
      id: 'aa11',
      full_name: 'Lund, Sweden',
      name: 'Lund',
      country: 'Sweden',
      country_code: 'SE',
      place_type: 'city',
      bbox: [13.1, 55.6, 13.3, 55.8],
    },
  ],
  posts: [
    { id: id(1), author: 'alice', text: 'Salt & pepper < 1 #birds', place: 'aa11', created_at: at },
    { id: id(2), author: 'bob', text: 'Yes', in_reply_to: id(1), created_at: at },
    { id: id(3), author: 'bob', text: 'Look', quote_of: id(1), created_at: at },
    { id: id(4), author: 'carol', repost_of: id(1), created_at: at },
    { id: id(5), author: 'alice', text: 'A picture', media: ['3_77'], created_at: at },
    { id: id(6), author: 'alice', text: long, created_at: at },
    { id: id(7), author: 'carol', text: 'Moving', media: ['7_79'], created_at: at },
  ],
  conversations: [
    {
      participants: ['alice', 'bob'],
      messages: [
        { id: id(801), from: 'alice', text: 'Hi & <bye>', at },
        { id: id(802), from: 'bob', text: 'With a picture', media: '5_78', at },
      ],
    },
    {
      id: GROUP,
      name: 'Pond',
      participants: ['alice', 'bob', 'carol'],
      messages: ['alice', 'bob', 'carol'].map((from, n) => ({
        id: id(810 + n),
        from,
        text: `I am ${from}`,
        at,
      })),
    },
  ],
  spaces: [
    {
      id: '1DXxyRYNejbKM',
      creator: 'alice',
      title: 'Birds & bees',
      state: 'ended',
      created_at: at,
      started_at: at,
      ended_at: '2022-06-01T13:00:00.000Z',
      lang: 'en',
      hosts: ['alice', 'carol'],
      speakers: ['bob'],
      buyers: ['bob', 'carol'],
      topics: [{ id: '7', name: 'Birds', description: 'About birds' }],
      posts: [id(1)],
    },
    { id: '1bare', creator: 'bob', title: 'Bare', state: 'live', created_at: at, started_at: at },
  ],
};

const { apps } = standardWorld();

let original: TestApp;
let url: string;
beforeAll(async () => {
  original = await startTestApp({ world: { ...world, apps } });
  url = await original.listen();
});
afterAll(() => original.close());

/** Records requests, and returns what the original and a server with the recorded world answer to them. */
async function recordedAndOriginal(paths: readonly string[], username?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-record-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const recording = await startRecording({
    folder,
    target: new URL(url),
    port: 0,
    version: '1',
    clock: systemClock,
  });
  const token = username === undefined ? original.bearer : await original.as(username);
  const answers: unknown[] = [];
  for (const path of paths) {
    const answer = await fetch(recording.url + path, { headers: { authorization: `Bearer ${token}` } });
    expect([path, answer.status]).toEqual([path, 200]);
    answers.push(await answer.json());
  }
  const report = await recording.finish();
  const recorded = JSON.parse(await readFile(join(folder, 'world.json'), 'utf8')) as object;
  await using copy = await startTestApp({ world: { ...recorded, apps } });
  const copyToken = username === undefined ? copy.bearer : await copy.as(username);
  const again = await Promise.all(
    paths.map(async (path) => (await copy.get(path, copyToken)).body as unknown),
  );
  return { report, recorded, pairs: paths.map((path, n) => [path, plain(again[n]), plain(answers[n])]) };
}

/** Posts name the app that loaded them, and count reads of posts that were not recorded. */
function plain(body: unknown): unknown {
  const hidden = new Set([
    'source',
    'followers_count',
    'friends_count',
    'statuses_count',
    'retweet_count',
    'reply_count',
    'quote_count',
    'created_at',
  ]);
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (hidden.has(name) ? undefined : value)));
}

describe('answers of v1.1', () => {
  test('give the world in which the same requests get the same answers', async () => {
    const paths = [
      `/1.1/statuses/show.json?id=${id(2)}&tweet_mode=extended`,
      `/1.1/statuses/show/${id(4)}.json?tweet_mode=extended`,
      '/1.1/statuses/user_timeline.json?screen_name=alice&tweet_mode=extended',
      '/1.1/statuses/user_timeline.json?user_id=12&tweet_mode=extended',
      `/1.1/statuses/show.json?id=${id(7)}&tweet_mode=extended`,
      '/1.1/users/lookup.json?screen_name=alice,bob,carol',
      '/1.1/followers/ids.json?screen_name=alice',
      '/1.1/friends/ids.json?user_id=12&stringify_ids=true',
      '/1.1/users/show.json?screen_name=carol',
    ];
    const { pairs, report } = await recordedAndOriginal(paths);
    for (const [path, again, first] of pairs) expect([path, again]).toEqual([path, first]);
    expect(report).toMatchObject({
      leftOutEntries: 0,
      leftOutPosts: 0,
      completedUsers: 0,
      world: { users: 3, posts: 7, follows: 2, media: 2, places: 1 },
    });
  });

  test('of which a text was cut keep the cut text, until the whole is seen', async () => {
    const cut = await recordedAndOriginal([`/1.1/statuses/show.json?id=${id(6)}`]);
    // A cut text in a list has its whole beside it here; the original leaves it out.
    const seen = new SeenNetwork();
    const status = { id_str: id(6), user: { id_str: '12', screen_name: 'bob' } };
    const read = (json: unknown) =>
      seen.read({ method: 'GET', path: '/1.1/statuses/show.json', query: new URLSearchParams(), json });
    read({ ...status, text: 'Long… https://x.example/1', truncated: true });
    const texts = () => worldOf(seen).world.posts?.map(({ text }) => text);
    expect(texts()).toEqual(['Long… https://x.example/1']);
    read({ ...status, full_text: long, entities: {} });
    read({ ...status, text: 'Long… https://x.example/1', truncated: true });
    expect([texts(), cut.recorded]).toEqual([
      [long],
      expect.objectContaining({ posts: [expect.objectContaining({ text: long })] }),
    ]);
  });

  test('to writes show users only, since the program writes again', () => {
    const seen = new SeenNetwork();
    const json = { id_str: id(1), full_text: 'New', user: { id_str: '12', screen_name: 'bob' } };
    seen.read({ method: 'POST', path: '/1.1/statuses/update.json', query: new URLSearchParams(), json });
    expect([seen.users.values().length, seen.posts.values().length]).toEqual([1, 0]);
  });

  test('that are hostile change nothing', () => {
    const seen = new SeenNetwork();
    let nested: object = { id_str: '1', user: {} };
    for (let n = 0; n < 5_000; n += 1) nested = { id_str: String(n), user: {}, retweeted_status: nested };
    const jsons = [
      nested,
      [[[]]],
      { ids: [1.5, -1, null, {}, 'x'] },
      { statuses: { user: 1 } },
      [{ screen_name: {} }],
    ];
    for (const json of jsons) {
      for (const path of ['/1.1/followers/ids.json', '/1.1/x.json', '/1.1/geo/search.json']) {
        seen.read({
          method: 'GET',
          path,
          query: new URLSearchParams('user_id=1&screen_name=constructor'),
          json,
        });
      }
    }
    expect(worldOf(seen).world.posts).toEqual([]);
  });
});

describe('direct messages', () => {
  const FIELDS =
    'dm_event.fields=sender_id,dm_conversation_id,created_at,attachments,participant_ids&expansions=sender_id,attachments.media_keys&media.fields=url,width,height';

  test('give the conversations in which the same requests get the same answers', async () => {
    const paths = [
      `/2/dm_events?event_types=MessageCreate&${FIELDS}`,
      `/2/dm_conversations/with/12/dm_events?${FIELDS}`,
      `/2/dm_conversations/${GROUP}/dm_events?event_types=MessageCreate&${FIELDS}`,
    ];
    const { pairs, report } = await recordedAndOriginal(paths, 'alice');
    for (const [path, again, first] of pairs) expect([path, again]).toEqual([path, first]);
    expect(report).toMatchObject({ leftOutMessages: 0, leftOutEntries: 0, world: { conversations: 2 } });
  });

  test('without sender or participants are left out and counted', () => {
    const seen = new SeenNetwork();
    const event = { event_type: 'MessageCreate', text: 'Hi' };
    const json = {
      data: [
        { ...event, id: '1', sender_id: '7', dm_conversation_id: '7-9' },
        { ...event, id: '2', dm_conversation_id: '7-9' },
        { ...event, id: '3', sender_id: '7', dm_conversation_id: GROUP },
        { ...event, id: '4', sender_id: '7', dm_conversation_id: 'nothing' },
        { id: '5', event_type: 'ParticipantsJoin' },
      ],
    };
    seen.read({ method: 'GET', path: '/2/dm_events', query: new URLSearchParams(), json });
    const { world: made, completion } = worldOf(seen);
    expect([made.conversations?.length, completion.leftOutMessages]).toEqual([1, 3]);
  });

  test('with one person belong to the caller of an OAuth 1.0a token', () => {
    expect(callerIdOf('OAuth oauth_consumer_key="k", oauth_token="12-abc", oauth_version="1.0"')).toBe('12');
    const seen = new SeenNetwork();
    const json = { data: [{ id: '1', event_type: 'MessageCreate', text: 'Hi', sender_id: '9' }] };
    const path = '/2/dm_conversations/with/9/dm_events';
    seen.read({ method: 'GET', path, query: new URLSearchParams(), callerId: '12', json });
    expect(worldOf(seen).world.conversations).toMatchObject([{ messages: [{ text: 'Hi' }] }]);
  });
});

describe('Spaces', () => {
  const FIELDS =
    'space.fields=title,creator_id,host_ids,speaker_ids,created_at,started_at,ended_at,lang,topic_ids,is_ticketed&expansions=creator_id,host_ids,speaker_ids,topic_ids&topic.fields=description';

  test('give the world in which the same requests get the same answers', async () => {
    const paths = [
      `/2/spaces/1DXxyRYNejbKM?${FIELDS}`,
      `/2/spaces?ids=1DXxyRYNejbKM,1bare&${FIELDS}`,
      `/2/spaces/search?query=Bare&${FIELDS}`,
      '/2/spaces/by/creator_ids?user_ids=12&space.fields=title',
      '/2/spaces/1DXxyRYNejbKM/tweets?tweet.fields=author_id&expansions=author_id',
      '/2/spaces/1DXxyRYNejbKM/buyers',
    ];
    const { pairs, report } = await recordedAndOriginal(paths, 'alice');
    for (const [path, again, first] of pairs) expect([path, again]).toEqual([path, first]);
    expect(report).toMatchObject({ leftOutSpaces: 0, leftOutEntries: 0, world: { spaces: 2 } });
  });

  test('of which only the state is known are left out and counted', () => {
    const seen = new SeenNetwork();
    const json = { data: [{ id: '1abc', state: 'live' }] };
    seen.read({ method: 'GET', path: '/2/spaces/search', query: new URLSearchParams('query=x'), json });
    expect(worldOf(seen)).toMatchObject({ world: { spaces: [] }, completion: { leftOutSpaces: 1 } });
  });
});
