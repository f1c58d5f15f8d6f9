import { expect, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import { followedAmong, requestedAmong } from '../../src/stores/follows.js';
import { isHiddenReply } from '../../src/stores/post-links.js';
import { findMedia } from '../../src/stores/media.js';
import { findPostCounts } from '../../src/stores/posts.js';
import { rawSql, sql } from '../../src/database/sql.js';
import { findUserCounts, findUsers, renameUser } from '../../src/stores/users.js';
import { createWriter, worldDeps } from '../../src/server/backend.js';
import { isPassword } from '../../src/services/secrets/secrets.js';
import { loadWorld } from '../../src/world/load-world.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { testTableNames } from '../support/test-database.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';

const userId = (username: keyof typeof USERS): UserId => BigInt(USERS[username]) as UserId;
const postId = (id: string): PostId => BigInt(id) as PostId;

async function countsOf(app: TestApp, username: keyof typeof USERS) {
  return (await findUserCounts(app.pipit.backend.engine, [userId(username)])).get(userId(username));
}

/** Returns everything stored except leases, whose times change, and the feed of changes, which lists locked rows too. */
async function dump(app: TestApp): Promise<unknown> {
  const { engine } = app.pipit.backend;
  const contents: Record<string, unknown> = {};
  for (const name of await testTableNames(engine)) {
    if (name === 'snowflake_workers' || name === 'change_feed') continue;
    const rows = await engine.all(rawSql(`SELECT * FROM "${name}"`));
    contents[name] = rows.map((row) => JSON.stringify(Object.values(row).map(String))).sort();
  }
  return contents;
}

test('counts are as if the objects had been created through the API', async () => {
  await using app = await startTestApp();
  expect(await countsOf(app, 'alice')).toEqual({ followers: 2, following: 0, posts: 1, listed: 0 });
  expect(await countsOf(app, 'bob')).toEqual({ followers: 0, following: 2, posts: 2, listed: 0 });
  expect(await countsOf(app, 'dave')).toEqual({ followers: 1, following: 0, posts: 1, listed: 0 });
  const counts = await findPostCounts(app.pipit.backend.engine, [postId(POSTS.hello)]);
  expect(counts.get(postId(POSTS.hello))).toMatchObject({
    reposts: 1,
    replies: 1,
    likes: 1,
    quotes: 1,
    bookmarks: 1,
  });
});

test('loading a file twice changes nothing', async () => {
  const world = {
    ...standardWorld(),
    media: [{ media_key: '3_77', type: 'photo', url: 'https://pics.example/1.jpg' }],
    tokens: [
      { app: APP.id, user: 'bob', kind: 'oauth1', access_token: '1002-abc', access_token_secret: 'def' },
      {
        app: APP.id,
        user: 'bob',
        kind: 'oauth2',
        access_token: 'ghi',
        refresh_token: 'j',
        scopes: ['tweet.read'],
      },
    ],
  };
  await using app = await startTestApp({ world });
  const before = await dump(app);
  const { backend, writer } = app.pipit;
  const added = await loadWorld(worldDeps(backend, writer), world);
  expect(Object.values(added).every((count) => count === 0)).toBe(true);
  expect(await dump(app)).toEqual(before);
});

test('loading a file again changes nothing after later changes to its objects', async () => {
  const media = [{ media_key: '3_77', type: 'photo' }];
  const [look, aside, answer] = [
    '1500000000000000006',
    '1500000000000000007',
    '1500000000000000008',
  ] as const;
  const world = standardWorld();
  world['media'] = media;
  world['posts']?.push(
    { id: look, author: 'dave', text: ' look e\u0301 ', media: ['3_77'] },
    { id: aside, author: 'dave', media: [], text: '@bob @alice aside', in_reply_to: POSTS.repost },
    { id: answer, author: 'carol', text: 'again', in_reply_to: aside, exclude_reply_users: ['alice'] },
  );
  await using app = await startTestApp({ world });
  const { engine } = app.pipit.backend;
  await engine.tx('rename', async (tx) => {
    const [alice] = (await findUsers(tx, [userId('alice')])).values();
    if (alice) await renameUser(tx, alice, 'alicia');
  });
  const users = world['users']?.map((user) =>
    JSON.parse(JSON.stringify(user).replace('"username":"alice"', '"username":"alicia"')),
  );
  const text = JSON.stringify({ ...world, users }).replaceAll('"alice"', '"alicia"');
  const before = await dump(app);
  const { backend } = app.pipit;
  const elsewhere = await createWriter(backend, 'https://elsewhere.example');
  const added = await loadWorld(worldDeps(backend, elsewhere), JSON.parse(text));
  expect(Object.values(added).every((count) => count === 0)).toBe(true);
  expect(await dump(app)).toEqual(before);
});

test('the weight of a text counts a link as 23', async () => {
  await using app = await startTestApp();
  const text = `${'a'.repeat(256)} https://example.com/${'b'.repeat(500)}`;
  const long = 'a'.repeat(280);
  const [one, two, three] = ['1600000000000000001', '1600000000000000002', '1600000000000000003'] as const;
  await app.load({
    posts: [
      { id: one, author: 'alice', text },
      { id: two, author: 'bob', text: long, in_reply_to: POSTS.hello },
      { id: three, author: 'bob', repost_of: two },
    ],
  });
  expect((await app.get(`/2/tweets/${one}`, app.bearer)).body.data.text).toBe(text);
  expect((await app.get(`/2/tweets/${two}`, app.bearer)).body.data.text).toBe(`@alice ${long}`);
  expect((await app.get(`/2/tweets/${three}`, app.bearer)).status).toBe(200);
});

test('a post from a file equals one created through the API', async () => {
  await using app = await startTestApp();
  const fields =
    'tweet.fields=lang,entities,conversation_id,in_reply_to_user_id,referenced_tweets,created_at';
  const { body } = await app.get(`/2/tweets/${POSTS.reply}?${fields}`, app.bearer);
  expect(body.data).toMatchObject({
    text: '@alice Good morning!',
    conversation_id: POSTS.hello,
    in_reply_to_user_id: USERS.alice,
    referenced_tweets: [{ type: 'replied_to', id: POSTS.hello }],
    entities: { mentions: [{ start: 0, end: 6, username: 'alice', id: USERS.alice }] },
    lang: 'en',
    created_at: '2022-03-05T06:47:23.000Z',
  });
});

test('a reply that starts with its parent’s handle does not repeat it', async () => {
  await using app = await startTestApp();
  const id = '1600000000000000000';
  await app.load({ posts: [{ id, author: 'bob', text: '@Alice well', in_reply_to: POSTS.hello }] });
  expect((await app.get(`/2/tweets/${id}`, app.bearer)).body.data.text).toBe('@Alice well');
});

test('posts can be in any order in the file', async () => {
  await using app = await startTestApp();
  const [one, two, three] = ['1600000000000000001', '1600000000000000002', '1600000000000000003'] as const;
  await app.load({
    posts: [
      { id: three, author: 'alice', text: 'third', in_reply_to: two },
      { id: one, author: 'alice', text: 'first' },
      { id: two, author: 'bob', text: 'second', in_reply_to: one },
    ],
  });
  const { body } = await app.get(`/2/tweets/${three}?tweet.fields=conversation_id`, app.bearer);
  expect(body.data.conversation_id).toBe(one);
});

test('a repost of a repost refers to the original, as does a like', async () => {
  await using app = await startTestApp();
  const id = '1600000000000000000';
  await app.load({
    posts: [{ id, author: 'carol', repost_of: POSTS.repost }],
    likes: [{ user: 'bob', post: POSTS.repost }],
  });
  const { body } = await app.get(`/2/tweets/${id}?tweet.fields=referenced_tweets`, app.bearer);
  expect(body.data.referenced_tweets).toEqual([{ type: 'retweeted', id: POSTS.hello }]);
  const counts = await findPostCounts(app.pipit.backend.engine, [postId(POSTS.hello)]);
  expect(counts.get(postId(POSTS.hello))).toMatchObject({ likes: 2, reposts: 2 });
});

test('a pending follow is a request, not a follow', async () => {
  await using app = await startTestApp();
  const { engine } = app.pipit.backend;
  expect(await requestedAmong(engine, userId('carol'), [userId('dave')])).toEqual(new Set([userId('dave')]));
  expect(await followedAmong(engine, userId('carol'), [userId('dave')])).toEqual(new Set());
});

test('a block removes follows, and none is added with a block', async () => {
  await using app = await startTestApp();
  const { engine } = app.pipit.backend;
  await app.load({ blocks: [{ from: 'alice', to: 'bob' }] });
  for (let round = 1; round <= 2; round += 1) {
    await app.load({ follows: [{ from: 'bob', to: 'alice' }] });
    expect(await followedAmong(engine, userId('bob'), [userId('alice')])).toEqual(new Set());
    expect(await countsOf(app, 'alice')).toMatchObject({ followers: 1 });
    expect(await countsOf(app, 'bob')).toMatchObject({ following: 1 });
  }
});

test('a stored account is not changed', async () => {
  await using app = await startTestApp();
  await app.load({ users: [{ id: USERS.alice, username: 'alice', name: 'Another name' }] });
  expect((await app.get('/2/users/by/username/alice', app.bearer)).body.data.name).toBe('Alice');
});

test('passwords are stored as argon2id hashes and tokens as digests', async () => {
  await using app = await startTestApp();
  await app.load({ users: [{ id: '1', username: 'erin', name: 'Erin', password: 'correct horse' }] });
  const row = await app.pipit.backend.engine.get(sql`SELECT password_hash FROM users WHERE id = ${1n}`);
  const hash = String(row?.['password_hash']);
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await isPassword(hash, 'correct horse')).toBe(true);
  expect(JSON.stringify(await dump(app))).not.toContain(APP.bearer_token);
  expect(JSON.stringify(await dump(app))).not.toContain(APP.api_secret);
});

test('an OAuth 2.0 token of a file is valid until its expires_at, or permanently', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const token = { app: APP.id, user: 'bob', kind: 'oauth2', scopes: ['tweet.read', 'users.read'] };
  const tokens = [
    { ...token, access_token: 'short', expires_at: '2026-01-02T00:00:00Z' },
    { ...token, access_token: 'endless' },
  ];
  await using app = await startTestApp({ world: { ...standardWorld(), tokens }, clock: () => nowMs });
  expect((await app.get('/2/users/me', 'short')).status).toBe(200);
  nowMs = Date.parse('2036-01-01T00:00:00Z');
  expect((await app.get('/2/users/me', 'short')).status).toBe(401);
  expect((await app.get('/2/users/me', 'endless')).body.data.id).toBe(USERS.bob);
});

test('media with an owner can be posted by the owner, media in use by nobody', async () => {
  await using app = await startTestApp();
  const id = '1600000000000000000';
  await app.load({
    media: [
      { media_key: '3_77', type: 'photo', owner: 'bob' },
      { media_key: '3_78', type: 'photo' },
    ],
    posts: [{ id, author: 'alice', text: 'look', media: ['3_78'] }],
  });
  const stored = [...(await findMedia(app.pipit.backend.engine, [77n, 78n] as never)).values()];
  expect(stored.map(({ ownerId, attachedTo }) => [ownerId, attachedTo])).toEqual([
    [userId('bob'), undefined],
    [userId('alice'), BigInt(id)],
  ]);
  const post = (token: string, media: string) =>
    app.post('/2/tweets', token, { text: `with ${media}`, media: { media_ids: [media] } });
  expect((await post(await app.as('bob'), '77')).status).toBe(201);
  expect((await post(await app.as('alice'), '78')).status).toBe(400);
});

test('poll votes, places, withholding and hidden replies are loaded', async () => {
  await using app = await startTestApp();
  const [poll, reply] = ['1600000000000000001', '1600000000000000002'] as const;
  await app.load({
    places: [
      {
        id: 'abc123',
        full_name: 'Pond, Country',
        name: 'Pond',
        country: 'Country',
        country_code: 'CC',
        place_type: 'city',
        bbox: [-1.5, 50, 1.5, 51],
      },
    ],
    posts: [
      {
        id: poll,
        author: 'alice',
        text: 'Which?',
        poll: { options: ['this', 'that'], duration_minutes: 60, votes: [3, 4] },
        place: 'abc123',
        withheld: { country_codes: ['CC'] },
        tagged_users: [],
      },
      { id: reply, author: 'mallory', text: 'spam', in_reply_to: poll, hidden: true },
    ],
  });
  const query = 'tweet.fields=withheld,geo&expansions=attachments.poll_ids,geo.place_id&poll.fields=options';
  const { body } = await app.get(`/2/tweets/${poll}?${query}&place.fields=geo`, app.bearer);
  expect(body.data.withheld).toEqual({ copyright: false, country_codes: ['CC'] });
  expect(body.includes.polls[0].options.map((option: { votes: number }) => option.votes)).toEqual([3, 4]);
  expect(body.includes.places[0].geo.bbox).toEqual([-1.5, 50, 1.5, 51]);
  expect(await isHiddenReply(app.pipit.backend.engine, postId(poll), postId(reply))).toBe(true);
});

test('likes are ordered by time, and those without a time by position', async () => {
  await using app = await startTestApp();
  await app.load({
    likes: [
      { user: 'bob', post: POSTS.quote, at: '2022-01-02T00:00:00Z' },
      { user: 'bob', post: POSTS.hello, at: '2022-01-01T00:00:00Z' },
      { user: 'bob', post: POSTS.reply },
    ],
  });
  const rows = await app.pipit.backend.engine.all(sql`
    SELECT post_id FROM liked_posts WHERE user_id = ${userId('bob')} ORDER BY edge_id DESC`);
  expect(rows.map((row) => String(row['post_id']))).toEqual([POSTS.reply, POSTS.quote, POSTS.hello]);
});

test('times default to the time in the id, or to now', async () => {
  const nowMs = Date.parse('2026-05-05T05:05:05Z');
  await using app = await startTestApp({ clock: () => nowMs });
  await app.load({
    users: [
      { id: '1500000000000000000', username: 'erin', name: 'Erin' },
      { id: '7', username: 'frank', name: 'Frank' },
    ],
  });
  const users = '/2/users/by?usernames=erin,frank&user.fields=created_at';
  const { body } = await app.get(users, app.bearer);
  expect(body.data.map((user: { created_at: string }) => user.created_at)).toEqual([
    '2022-03-05T06:47:23.000Z',
    '2026-05-05T05:05:05.000Z',
  ]);
});

test('profiles get the entities of their link and description', async () => {
  await using app = await startTestApp();
  const description = 'Ask @frank about #ponds';
  await app.load({
    users: [
      { id: '7', username: 'erin', name: 'Erin', description, url: 'https://erin.example' },
      { id: '8', username: 'frank', name: 'Frank' },
    ],
  });
  const { body } = await app.get('/2/users/7?user.fields=entities', app.bearer);
  expect(body.data.entities).toMatchObject({
    url: { urls: [{ start: 0, end: 20, url: 'https://erin.example' }] },
    description: {
      mentions: [{ start: 4, end: 10, username: 'frank' }],
      hashtags: [{ start: 17, end: 23, tag: 'ponds' }],
    },
  });
});
