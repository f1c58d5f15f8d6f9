import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '@xdevplatform/xdk';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { LocalAgent } from './support/local-agent.js';
import { serveWorld, type WireServer } from './support/wire-server.js';

/**
 * Direct messages with unmodified twitter-api-v2, and for single events, which it does not support, the SDK of 2025.
 * alice and bob accept messages of everyone, carol does not.
 */

const PEOPLE = [
  { id: '501', username: 'alice', name: 'Alice', receives_dms: 'everyone' },
  { id: '6253282', username: 'bob', name: 'Bob', receives_dms: 'everyone' },
  { id: '503', username: 'carol', name: 'Carol', receives_dms: 'following' },
] as const;
const [ALICE, BOB, CAROL] = PEOPLE;
const PAIR = `${ALICE.id}-${BOB.id}`;
const APP = { appKey: 'dm-api-key', appSecret: 'dm-api-secret' } as const;
const BOB_OAUTH2 = 'bob-oauth2-token';
const DM_SCOPES = ['tweet.read', 'users.read', 'dm.read', 'dm.write'];
const MEDIA_ID = '1530000000000000701';

const world = {
  users: PEOPLE,
  media: [
    { media_key: `5_${MEDIA_ID}`, type: 'photo', url: 'https://pictures.example/1.jpg', owner: 'alice' },
  ],
  posts: [{ id: '1530000000000000001', author: 'carol', text: 'A post' }],
  apps: [
    {
      id: '27',
      name: 'Messenger',
      owner: 'alice',
      access_level: 'elevated',
      track: 'standard',
      permissions: 'read_write_dm',
      api_key: APP.appKey,
      api_secret: APP.appSecret,
      bearer_token: 'dm-bearer',
      client_id: 'dm-client',
      redirect_uris: [],
    },
  ],
  tokens: [
    ...PEOPLE.map(({ id, username }) => ({
      app: '27',
      user: username,
      kind: 'oauth1',
      access_token: `${id}-dm`,
      access_token_secret: `${username}-secret`,
    })),
    { app: '27', user: 'bob', kind: 'oauth2', access_token: BOB_OAUTH2, scopes: DM_SCOPES },
  ],
};

let server: WireServer;

beforeAll(async () => {
  server = await serveWorld(world);
});

afterAll(() => server.close());

function as({ id, username }: (typeof PEOPLE)[number]): TwitterApi['v2'] {
  const keys = { accessToken: `${id}-dm`, accessSecret: `${username}-secret` };
  return new TwitterApi({ ...APP, ...keys }, { httpAgent: new LocalAgent(server.port) }).v2;
}

interface Sent {
  readonly dm_conversation_id: string;
  readonly dm_event_id: string;
}

/** The client’s types omit `data` around responses that it passes on. */
async function dataOf(answer: Promise<Sent>): Promise<Sent> {
  return ((await answer) as unknown as { readonly data: Sent }).data;
}

describe('the client', () => {
  test('sends to a participant and to a conversation, and reads both in every list', async () => {
    const first = await dataOf(as(ALICE).sendDmToParticipant(BOB.id, { text: 'Hello' }));
    expect(first).toMatchObject({ dm_conversation_id: PAIR });
    const second = await dataOf(
      as(BOB).sendDmInConversation(PAIR, {
        text: 'Look: https://twitter.com/carol/status/1530000000000000001',
      }),
    );
    const third = await dataOf(
      as(ALICE).sendDmToParticipant(BOB.id, { text: 'See', attachments: [{ media_id: MEDIA_ID }] }),
    );
    const ids = [third, second, first].map((sent) => sent.dm_event_id);
    const lists = [
      await as(BOB).listDmEvents({ max_results: 2 }),
      await as(BOB).listDmEventsWithParticipant(ALICE.id, { max_results: 2 }),
      await as(BOB).listDmEventsOfConversation(PAIR, { max_results: 2 }),
    ];
    for (const list of lists) {
      await list.fetchLast();
      expect(list.done).toBe(true);
      expect(list.events.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('pages through events with all fields and expansions', async () => {
    const list = await as(ALICE).listDmEventsWithParticipant(BOB.id, {
      max_results: 1,
      'dm_event.fields': [
        'id',
        'text',
        'event_type',
        'created_at',
        'dm_conversation_id',
        'sender_id',
        'participant_ids',
        'referenced_tweets',
        'attachments',
      ],
      expansions: ['sender_id', 'participant_ids', 'referenced_tweets.id', 'attachments.media_keys'],
      'media.fields': ['url'],
      'user.fields': ['verified'],
      'tweet.fields': ['author_id'],
    });
    expect(list.events).toMatchObject([
      { dm_conversation_id: PAIR, sender_id: ALICE.id, attachments: { media_keys: [`5_${MEDIA_ID}`] } },
    ]);
    expect(list.includes.media).toEqual([
      { media_key: `5_${MEDIA_ID}`, type: 'photo', url: 'https://pictures.example/1.jpg' },
    ]);
    const second = await list.next();
    expect(second.events).toMatchObject([{ referenced_tweets: [{ id: '1530000000000000001' }] }]);
    expect(second.includes.tweets).toMatchObject([{ text: 'A post', author_id: CAROL.id }]);
    expect(second.includes.users).toMatchObject([{ username: 'bob', verified: false }]);
    const back = await second.previous();
    expect(back.events.map(({ id }) => id)).toEqual(list.events.map(({ id }) => id));
  });

  test('creates a new group each time', async () => {
    const createGroup = (text: string) =>
      dataOf(
        as(CAROL).createDmConversation({
          conversation_type: 'Group',
          participant_ids: [ALICE.id, BOB.id],
          message: { text },
        }),
      );
    const [one, other] = [await createGroup('One'), await createGroup('Other')];
    expect(other.dm_conversation_id).not.toBe(one.dm_conversation_id);
    const list = await as(BOB).listDmEventsOfConversation(one.dm_conversation_id, {
      event_types: ['ParticipantsJoin'],
      'dm_event.fields': ['participant_ids', 'sender_id'],
    });
    expect(list.events).toMatchObject([
      { event_type: 'ParticipantsJoin', participant_ids: [BOB.id], sender_id: CAROL.id },
      { event_type: 'ParticipantsJoin', participant_ids: [ALICE.id], sender_id: CAROL.id },
    ]);
  });

  test('reads an event by id and deletes it', async () => {
    const { dm_event_id: id } = await dataOf(as(ALICE).sendDmToParticipant(BOB.id, { text: 'Read me' }));
    const { directMessages } = new Client({ baseUrl: server.url, accessToken: BOB_OAUTH2 });
    const found = await directMessages.getEventsById(id, { dmEventFields: ['dm_conversation_id'] });
    expect(found.data).toMatchObject({
      id,
      eventType: 'MessageCreate',
      text: 'Read me',
      dmConversationId: PAIR,
    });
    expect(await directMessages.deleteEvents(id)).toEqual({ data: { deleted: true } });
    expect((await directMessages.getEventsById(id)).data).toBeUndefined();
    const left = await as(ALICE).listDmEventsWithParticipant(BOB.id, { max_results: 1 });
    expect(left.events).toMatchObject([{ id }]);
  });

  test('receives the reason for a refused message', async () => {
    const refused: unknown = await as(ALICE)
      .sendDmToParticipant(CAROL.id, { text: 'Hi' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiResponseError);
    expect(refused).toMatchObject({
      code: 403,
      data: { detail: 'You do not have permission to DM one or more participants.' },
    });
  });
});
