import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ConversationId } from '../../src/core/direct-message.js';
import type { UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { addMembers } from '../../src/services/dms/members.js';
import { lockConversation } from '../../src/stores/dm-conversations.js';
import { findUser } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { standardWorld, USERS } from '../support/world.js';
import { invalidRequest, missingTarget, notAuthorized, notFound, suspended } from './support/errors.js';
import {
  createGroup,
  conversationPath,
  eventsAt,
  INBOX,
  say,
  sentId,
  textsOf,
  withPath,
  write,
} from './support/messages.js';
import { ID, openNetwork, postId, PUBLIC_URL, startNetwork, type Network } from './support/network.js';
import { walkPages } from './support/pages.js';

/** Reading events of direct messages (docs/api/messages.md, docs/api/objects.md#message-event). */

const OPEN = [
  { username: 'alice', receives_dms: 'everyone' },
  { username: 'carol', receives_dms: 'everyone' },
];
const PAIR = `${ID.alice}-${ID.bob}`;

const network = (world: Parameters<typeof startNetwork>[0] = {}) => startNetwork({ users: OPEN, ...world });

describe('pages of events', () => {
  const COUNT = 15;

  let shared: Awaited<ReturnType<typeof chat>>;
  beforeAll(async () => {
    shared = await chat();
  });
  afterAll(() => shared.net.close());

  async function chat(): Promise<{ net: Network; pair: string[]; group: string; groupIds: string[] }> {
    const net = await openNetwork({ users: OPEN });
    const pair: string[] = [];
    const group = await createGroup(net, 'bob', ['alice', 'carol'], 'Start');
    for (let n = 0; n < COUNT; n += 1) {
      const [from, to] = n % 2 === 0 ? (['bob', 'alice'] as const) : (['alice', 'bob'] as const);
      pair.unshift(sentId(await write(net, from, to, `${n}`)));
      sentId(await say(net, 'carol', group, `Group ${n}`));
    }
    const groupIds = (await eventsAt(net, 'carol', conversationPath(group))).map(({ id }) => id);
    return { net, pair, group, groupIds };
  }

  test('joined equal the whole, newest first, in each of the three lists', async () => {
    const { net, pair, group, groupIds } = shared;
    expect(groupIds).toHaveLength(COUNT + 3);
    const whole = [...pair, ...groupIds].sort((one, other) => (BigInt(one) < BigInt(other) ? 1 : -1));
    for (const [path, ids] of [
      [INBOX, whole],
      [withPath('alice'), pair],
      [conversationPath(PAIR), pair],
      [conversationPath(group), groupIds],
    ] as const) {
      for (const size of [1, 7, 100]) {
        const pages = await walkPages(net.as('bob'), path, size);
        expect(pages.flatMap((page) => page.ids)).toEqual(ids);
        expect(pages[0]?.meta.previous_token).toBeUndefined();
        expect(pages.slice(1).every(({ meta }) => meta.previous_token !== undefined)).toBe(true);
      }
    }
  });

  test('return exactly the previous page for previous_token, also when messages are added meanwhile', async () => {
    const { net, group, groupIds } = await chat();
    onTestFinished(net.close);
    for (const path of [conversationPath(group), `${conversationPath(group)}?event_types=MessageCreate`]) {
      const pages = await walkPages(net.as('alice'), path, 6, async () => {
        await say(net, 'bob', group, 'Meanwhile');
      });
      const separator = path.includes('?') ? '&' : '?';
      for (const [at, page] of pages.entries()) {
        const token = page.meta.previous_token;
        if (token === undefined) continue;
        const url = `${path}${separator}max_results=6&pagination_token=${token}`;
        const { body } = await net.as('alice').get(url);
        const back = (body.data as { id: string }[]).map(({ id }) => id);
        expect(back).toEqual(pages[at - 1]?.ids);
      }
    }
    expect(groupIds.length).toBeGreaterThan(12);
  });

  test('are filtered by event_types', async () => {
    const { net, group, groupIds } = shared;
    const typed = async (types: string) =>
      (await walkPages(net.as('bob'), `${conversationPath(group)}?event_types=${types}`, 5)).flatMap(
        (page) => page.ids,
      );
    expect(await typed('ParticipantsJoin')).toEqual(groupIds.slice(-2));
    expect(await typed('MessageCreate')).toEqual(groupIds.slice(0, -2));
    expect(await typed('ParticipantsJoin,MessageCreate')).toEqual(groupIds);
    expect(await typed('ParticipantsLeave')).toEqual([]);
    const { status, body } = await net.as('bob').get(`${INBOX}?event_types=MessageCreate,Typing`);
    const message =
      'The `event_types` query parameter value [Typing] is not one of [MessageCreate,ParticipantsJoin,ParticipantsLeave]';
    expect([status, body]).toEqual([
      400,
      invalidRequest([{ event_types: ['MessageCreate,Typing'] }, message]),
    ]);
  });

  test('have tokens that are valid for one list, one filter and one user', async () => {
    const { net, group } = shared;
    const { body } = await net.as('bob').get(`${conversationPath(group)}?max_results=5`);
    const token = body.meta.next_token as string;
    const use = async (name: 'bob' | 'alice', path: string) =>
      (await net.as(name).get(`${path}${path.includes('?') ? '&' : '?'}pagination_token=${token}`)).status;
    expect(await use('bob', conversationPath(group))).toBe(200);
    expect(await use('bob', conversationPath(PAIR))).toBe(400);
    expect(await use('bob', INBOX)).toBe(400);
    expect(await use('bob', `${conversationPath(group)}?event_types=MessageCreate`)).toBe(400);
    expect(await use('alice', conversationPath(group))).toBe(400);
  });

  test('have 1 to 100 events, and refuse unknown parameters', async () => {
    const net = await network();
    for (const query of [
      'max_results=0',
      'max_results=101',
      `participant_id=${ID.alice}`,
      `dm_conversation_id=${PAIR}`,
    ]) {
      expect((await net.as('bob').get(`${INBOX}?${query}`)).status, query).toBe(400);
    }
    expect((await net.as('bob').get(`${INBOX}?dm_event_fields=text&max_results=100`)).status).toBe(200);
  });

  test('of an empty conversation are empty, of one with an unknown user return 404', async () => {
    const net = await network();
    for (const path of [withPath('alice'), conversationPath(PAIR)]) {
      const { status, body } = await net.as('bob').get(path);
      expect([status, body]).toEqual([200, { meta: { result_count: 0 } }]);
    }
    const { status, body } = await net.as('bob').get('/2/dm_conversations/with/999/dm_events');
    expect([status, body]).toEqual([404, missingTarget('user', 'participant_id', '999')]);
    for (const id of ['1-2-3', 'abc', '12345']) {
      expect((await net.as('bob').get(conversationPath(id))).status).toBe(400);
    }
  });
});

describe('an event', () => {
  test('is returned by id to participants who have not deleted it', async () => {
    const net = await network();
    const id = sentId(await write(net, 'bob', 'alice', 'Hello'));
    const path = `/2/dm_events/${id}`;
    for (const name of ['alice', 'bob'] as const) {
      const { body } = await net.as(name).get(`${path}?dm_event.fields=sender_id&expansions=sender_id`);
      expect(body).toEqual({
        data: { id, event_type: 'MessageCreate', text: 'Hello', sender_id: ID.bob },
        includes: { users: [{ id: ID.bob, name: 'bob the bird', username: 'bob' }] },
      });
    }
    for (const asked of [id, '77']) {
      const { status, body } = await net.as('carol').get(`/2/dm_events/${asked}?expansions=sender_id`);
      expect([status, body]).toEqual([200, { errors: [notFound('dm_event', 'event_id', asked)] }]);
    }
    await net.as('bob').delete(path);
    expect((await net.as('bob').get(path)).body).toEqual({ errors: [notFound('dm_event', 'event_id', id)] });
    expect((await net.as('alice').get(path)).body.data.text).toBe('Hello');
  });

  test('has the entities of its text', async () => {
    const net = await network();
    const id = sentId(await write(net, 'bob', 'alice', '1 < 2 @alice #birds'));
    const { body } = await net.as('alice').get(`/2/dm_events/${id}?dm_event.fields=entities`);
    expect(body.data.entities).toEqual({
      mentions: [{ start: 9, end: 15, username: 'alice', id: ID.alice }],
      hashtags: [{ start: 16, end: 22, tag: 'birds' }],
    });
  });

  test('references the posts linked in its text, which are included where visible to the reader', async () => {
    const net = await network({
      users: [...OPEN, { username: 'dave', protected: true }],
      follows: [{ from: 'bob', to: 'dave' }],
      posts: [
        { id: postId(1), author: 'carol', text: 'Open' },
        { id: postId(2), author: 'dave', text: 'Closed' },
      ],
    });
    const text = `Look: ${PUBLIC_URL}/carol/status/${postId(1)}, (https://twitter.com/dave/status/${postId(2)}) and https://x.com/a/status/5`;
    const id = sentId(await write(net, 'bob', 'alice', text));
    const path = `/2/dm_events/${id}?expansions=referenced_tweets.id&tweet.fields=author_id`;
    const open = { id: postId(1), text: 'Open', edit_history_tweet_ids: [postId(1)], author_id: ID.carol };
    const { body } = await net.as('alice').get(path);
    expect(body.data.referenced_tweets).toEqual([{ id: postId(1) }, { id: postId(2) }]);
    expect(body.data.text).toBe(text);
    expect(body.includes).toEqual({ tweets: [open] });
    expect(body.errors).toEqual([notAuthorized('referenced_tweets.id', postId(2), 'includes')]);
    const own = await net.as('bob').get(path);
    expect(own.body.includes.tweets).toMatchObject([open, { id: postId(2), text: 'Closed' }]);
    expect(own.body.errors).toBeUndefined();
  });

  test('carries one attachment of its sender, with a link to it after the text', async () => {
    const media = [
      { media_key: '5_801', type: 'photo', url: 'https://pics.example/1.jpg', owner: 'bob' },
      { media_key: '3_802', type: 'photo', owner: 'bob' },
      { media_key: '5_803', type: 'photo', owner: 'carol' },
    ];
    const net = await network({ media });
    const send = (body: object) => net.as('bob').post(`/2/dm_conversations/with/${ID.alice}/messages`, body);
    const both = sentId(await send({ text: 'See', attachments: [{ media_id: '801' }] }));
    const alone = sentId(await send({ media_id: '802' }));
    const { body } = await net
      .as('alice')
      .get(`${withPath('bob')}?expansions=attachments.media_keys&media.fields=url`);
    expect(body.data).toEqual([
      {
        id: alone,
        event_type: 'MessageCreate',
        text: `${PUBLIC_URL}/messages/media/${alone}`,
        attachments: { media_keys: ['3_802'] },
      },
      {
        id: both,
        event_type: 'MessageCreate',
        text: `See ${PUBLIC_URL}/messages/media/${both}`,
        attachments: { media_keys: ['5_801'] },
      },
    ]);
    expect(body.includes.media).toEqual([
      { media_key: '3_802', type: 'photo' },
      { media_key: '5_801', type: 'photo', url: 'https://pics.example/1.jpg' },
    ]);
    const events = await eventsAt(net, 'alice', withPath('bob'));
    expect(events[1]).toMatchObject({
      entities: { urls: [{ start: 4, url: `${PUBLIC_URL}/messages/media/${both}`, media_key: '5_801' }] },
    });
    // Used, owned by another user, and unknown.
    for (const mediaId of ['801', '803', '899']) {
      const refused = await send({ text: 'Again', media_id: mediaId });
      const message = 'Your media IDs are invalid.';
      expect([refused.status, refused.body]).toEqual([
        400,
        invalidRequest([{ 'attachments.media_id': [mediaId] }, message]),
      ]);
    }
    expect(await eventsAt(net, 'alice', withPath('bob'))).toHaveLength(2);
    const posted = await net.as('bob').post('/2/tweets', { media: { media_ids: ['801'] } });
    expect(posted.status).toBe(400);
  });

  test('of joining names the participant and the inviter, and expands visible accounts', async () => {
    const net = await network({ users: [...OPEN, { username: 'dave', receives_dms: 'everyone' }] });
    const group = await createGroup(net, 'bob', ['alice', 'carol', 'dave']);
    await net.suspend('carol');
    const { body } = await net
      .as('alice')
      .get(`${conversationPath(group)}?expansions=sender_id,participant_ids&user.fields=protected`);
    expect(body.includes.users.map((user: { id: string }) => user.id)).toEqual([ID.bob, ID.dave, ID.alice]);
    expect(body.errors).toEqual([suspended('participant_ids', ID.carol)]);
    expect(body.data[1]).toEqual({
      id: expect.any(String) as unknown,
      event_type: 'ParticipantsJoin',
      participant_ids: [ID.dave],
      sender_id: ID.bob,
    });
  });
});

test('a user added to a group later sees only events from then on', async () => {
  const id = (name: keyof typeof USERS): UserId => BigInt(USERS[name]) as UserId;
  await using app = await startTestApp({ world: openWorld() });
  const [alice, dave] = await Promise.all([app.as('alice'), app.as('dave')]);
  const created = await app.post('/2/dm_conversations', alice, {
    participant_ids: [USERS.bob, USERS.carol],
    text: 'Before',
  });
  const group = created.body.data.dm_conversation_id as string;
  const path = `/2/dm_conversations/${group}`;
  expect((await app.get(`${path}/dm_events`, dave)).status).toBe(404);
  const { engine, ids } = app.pipit.backend;
  await engine.tx('invite', async (tx) => {
    const conversationId = group as ConversationId;
    await lockConversation(tx, conversationId);
    await addMembers(
      tx,
      { ids },
      { conversationId, inviterId: id('bob'), userIds: [id('dave'), id('carol')] },
    );
  });
  expect((await app.post(`${path}/messages`, dave, { text: 'Hello' })).status).toBe(201);
  const seenBy = async (token: string, url: string) =>
    (await app.get(url, token)).body.data as { event_type: string; text?: string }[];
  for (const url of [`${path}/dm_events`, INBOX]) {
    const seen = await seenBy(dave, url);
    expect(seen.map((event) => event.text ?? event.event_type)).toEqual(['Hello', 'ParticipantsJoin']);
  }
  expect(await seenBy(alice, `${path}/dm_events`)).toHaveLength(5);
  const before = created.body.data.dm_event_id as string;
  expect((await app.get(`/2/dm_events/${before}`, dave)).body.data).toBeUndefined();
  expect((await app.delete(`/2/dm_events/${before}`, dave)).status).toBe(404);
});

test('messages of a deleted account remain for the other participants', async () => {
  await using app = await startTestApp({ world: openWorld() });
  const { backend } = app.pipit;
  const [alice, bob] = await Promise.all([app.as('alice'), app.as('bob')]);
  const post = (path: string, token: string, body: object) =>
    app.post(`/2/dm_conversations${path}`, token, body);
  await post(`/with/${USERS.alice}/messages`, bob, { text: 'From bob' });
  await post(`/with/${USERS.bob}/messages`, bob, { text: 'To himself' });
  const created = await post('', bob, { participant_ids: [USERS.alice, USERS.carol], text: 'Group' });
  const group = created.body.data.dm_conversation_id as string;
  const user = await findUser(backend.engine, BigInt(USERS.bob) as UserId);
  if (!user) throw new Error('no bob');
  await deleteAccount(backend, user);
  const pair = await app.get(`/2/dm_conversations/with/${USERS.bob}/dm_events?expansions=sender_id`, alice);
  expect(pair.body.data).toMatchObject([{ text: 'From bob', sender_id: USERS.bob }]);
  expect(pair.body.errors).toEqual([notFound('user', 'sender_id', USERS.bob)]);
  const events = await app.get(
    `/2/dm_conversations/${group}/dm_events?dm_event.fields=participant_ids,sender_id`,
    alice,
  );
  expect(events.body.data).toHaveLength(4);
  expect(events.body.data[0]).toEqual({
    id: expect.any(String) as unknown,
    event_type: 'ParticipantsLeave',
    participant_ids: [USERS.bob],
  });
  expect((await post(`/with/${USERS.bob}/messages`, alice, { text: 'Bob?' })).status).toBe(404);
  expect((await post(`/${group}/messages`, alice, { text: 'He left' })).status).toBe(201);
  // Loading the file again creates an account with the same id, which owns none of the old messages.
  await app.load(openWorld());
  const again = await app.as('bob');
  expect((await app.get(INBOX, again)).body).toEqual({ meta: { result_count: 0 } });
  expect((await app.get(`/2/dm_conversations/${group}/dm_events`, again)).status).toBe(404);
  expect((await post(`/with/${USERS.alice}/messages`, again, { text: 'New here' })).status).toBe(201);
  const seen = await app.get(`/2/dm_conversations/with/${USERS.alice}/dm_events`, again);
  expect(textsOf(seen.body.data)).toEqual(['New here']);
});

describe('permissions and scopes for messages (docs/api/authentication.md#permissions, docs/api/authentication.md#scopes)', () => {
  test.each([
    [['dm.read', 'tweet.read', 'users.read'], 200, 403],
    [['dm.write', 'tweet.read', 'users.read'], 403, 201],
    [['dm.read', 'dm.write', 'tweet.read'], 403, 403],
  ] as const)('with the scopes %j, reading returns %i and sending %i', async (scopes, read, sent) => {
    await using app = await startTestApp({ world: openWorld() });
    const token = await app.as('bob', scopes);
    expect((await app.get(INBOX, token)).status).toBe(read);
    const path = `/2/dm_conversations/with/${USERS.alice}/messages`;
    expect((await app.post(path, token, { text: 'Hi' })).status).toBe(sent);
  });

  test('deleting requires both scopes', async () => {
    await using app = await startTestApp({ world: openWorld() });
    const path = `/2/dm_conversations/with/${USERS.alice}/messages`;
    const { body } = await app.post(path, await app.as('bob'), { text: 'Hi' });
    const event = `/2/dm_events/${String(body.data.dm_event_id)}`;
    expect((await app.delete(event, await app.as('bob', ['dm.read']))).status).toBe(403);
    expect((await app.delete(event, await app.as('bob', ['dm.read', 'dm.write']))).status).toBe(200);
  });

  test('an app-only token is refused', async () => {
    await using app = await startTestApp();
    expect((await app.get(INBOX, app.bearer)).status).toBe(403);
  });
});

test('sending and reading each share one rate limit (docs/api/messages.md)', async () => {
  await using app = await startTestApp({ world: openWorld(), flags: { rateLimits: 'standard' } });
  const token = await app.as('bob');
  const limitsOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    [headers['x-rate-limit-limit'], headers['x-rate-limit-remaining']].map(Number);
  const group = await app.post('/2/dm_conversations', token, {
    participant_ids: [USERS.alice, USERS.carol],
    text: 'a',
  });
  expect(limitsOf(group)).toEqual([200, 199]);
  const path = `/2/dm_conversations/${String(group.body.data.dm_conversation_id)}`;
  expect(limitsOf(await app.post(`${path}/messages`, token, { text: 'b' }))).toEqual([200, 198]);
  const pair = `/2/dm_conversations/with/${USERS.alice}`;
  expect(limitsOf(await app.post(`${pair}/messages`, token, { text: 'c' }))).toEqual([200, 197]);
  expect(limitsOf(await app.get(INBOX, token))).toEqual([300, 299]);
  expect(limitsOf(await app.get(`${path}/dm_events`, token))).toEqual([300, 298]);
  expect(limitsOf(await app.get(`${pair}/dm_events`, token))).toEqual([300, 297]);
});

/** Returns the standard world with everybody accepting messages of everyone. */
function openWorld(): Record<string, unknown[]> {
  const world = standardWorld();
  const users = (world.users ?? []) as object[];
  return { ...world, users: users.map((user) => ({ ...user, receives_dms: 'everyone' })) };
}
