import { expect, test } from 'vitest';
import type { ConversationId } from '../../src/core/direct-message.js';
import { listEvents } from '../../src/stores/dm-events.js';
import { loadWorld } from '../../src/world/load-world.js';
import { worldDeps } from '../../src/server/backend.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { standardWorld, USERS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

/** Conversations of world files (docs/world-files.md) in the standard world. */

const { expectRefusal } = createRefuser();

const NOW_MS = Date.parse('2022-10-20T00:00:00Z');
const FIELDS = 'dm_event.fields=attachments,created_at,dm_conversation_id,sender_id';

const WORLD = {
  ...standardWorld(),
  media: [{ media_key: '5_301', type: 'photo', owner: 'bob' }],
  conversations: [
    {
      participants: ['bob', 'alice'],
      messages: [
        { from: 'alice', text: 'First', at: '2022-10-01T10:00:00Z' },
        { from: 'bob', text: 'Second & @alice', at: '2022-10-01T10:00:00Z' },
        { id: '77', from: 'bob', media: '5_301', at: '2022-09-01T10:00:00Z' },
        { id: '1582000000000000001', from: 'alice', text: 'By its id' },
        { from: 'alice', text: 'Now' },
        { from: 'alice', text: 'Now' },
      ],
    },
    {
      participants: ['alice', 'bob', 'carol'],
      name: 'Birds',
      messages: [{ from: 'carol', text: 'Group', at: '2022-10-02T00:00:00Z' }],
    },
    { participants: ['carol', 'bob', 'alice'], name: 'Birds', messages: [{ from: 'alice', text: 'Other' }] },
    { participants: ['dave'], messages: [{ from: 'dave', text: 'Note' }] },
  ],
};

interface Event {
  readonly id: string;
  readonly text: string;
  readonly dm_conversation_id: string;
  readonly created_at: string;
}

async function eventsAt(app: TestApp, username: string, path: string): Promise<Event[]> {
  const { status, body } = await app.get(`${path}?${FIELDS}`, await app.as(username));
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.data ?? []) as Event[];
}

const start = () => startTestApp({ world: WORLD, clock: () => NOW_MS });

test('messages appear as if sent, in order of their times', async () => {
  await using app = await start();
  const path = `/2/dm_conversations/with/${USERS.bob}/dm_events`;
  const events = await eventsAt(app, 'alice', path);
  const link = 'http://pipit.test/messages/media/77';
  expect(events.map(({ text }) => text)).toEqual([
    'Now',
    'Now',
    'By its id',
    'Second &amp; @alice',
    'First',
    link,
  ]);
  expect(events.at(-1)).toEqual({
    id: '77',
    event_type: 'MessageCreate',
    text: link,
    created_at: '2022-09-01T10:00:00.000Z',
    dm_conversation_id: `${USERS.alice}-${USERS.bob}`,
    sender_id: USERS.bob,
    attachments: { media_keys: ['5_301'] },
  });
  expect(events[2]).toMatchObject({ id: '1582000000000000001', sender_id: USERS.alice });
  expect(await eventsAt(app, 'dave', `/2/dm_conversations/with/${USERS.dave}/dm_events`)).toHaveLength(1);
});

test('an entry with more than two participants is a group of its own', async () => {
  await using app = await start();
  const events = await eventsAt(app, 'carol', '/2/dm_events');
  expect(events.map(({ text }) => text)).toEqual(['Other', 'Group']);
  const [other, group] = events.map((event) => event.dm_conversation_id);
  expect(group).toMatch(/^[0-9]{19}$/);
  expect(other).not.toBe(group);
  const path = `/2/dm_conversations/${group ?? ''}`;
  expect(await eventsAt(app, 'bob', `${path}/dm_events`)).toHaveLength(1);
  expect((await app.get(`${path}/dm_events`, await app.as('dave'))).status).toBe(404);
  const sent = await app.post(`${path}/messages`, await app.as('alice'), { text: 'Joined in' });
  expect(sent.status).toBe(201);
  expect(await eventsAt(app, 'carol', `${path}/dm_events`)).toHaveLength(2);
});

test('the limit of 30 days uses the times of messages, not their ids', async () => {
  await using app = await start();
  const texts = (await eventsAt(app, 'bob', '/2/dm_events')).map(({ text }) => text);
  expect(texts).not.toContain('http://pipit.test/messages/media/77');
  expect(texts).toContain('First');
  expect(texts).toContain('By its id');
});

test('loading conversations again adds nothing, also after new messages and deletions', async () => {
  await using app = await start();
  const pair = `${USERS.alice}-${USERS.bob}` as ConversationId;
  const [bob, { engine }] = [await app.as('bob'), app.pipit.backend];
  await app.post(`/2/dm_conversations/${pair}/messages`, bob, { text: 'Now' });
  const [seen] = await eventsAt(app, 'bob', `/2/dm_conversations/${pair}/dm_events`);
  await app.delete(`/2/dm_events/${seen?.id ?? ''}`, bob);
  const before = await listEvents(engine, pair);
  const group = await eventsAt(app, 'carol', '/2/dm_events');
  const added = await loadWorld(worldDeps(app.pipit.backend, app.pipit.writer), WORLD);
  expect(Object.values(added).every((count) => count === 0)).toBe(true);
  expect(await listEvents(engine, pair)).toEqual(before);
  expect(await eventsAt(app, 'carol', '/2/dm_events')).toEqual(group);
  const more = {
    conversations: [{ participants: ['alice', 'bob'], messages: [{ from: 'bob', text: 'More' }] }],
  };
  await app.load(more);
  await app.load(more);
  expect(await listEvents(engine, pair)).toHaveLength(before.length + 1);
});

const CHAT = { participants: ['alice', 'bob'], messages: [{ from: 'alice', text: 'Hi' }] };
const chat = (change: object) => ({ conversations: [{ ...CHAT, ...change }] });
const message = (...messages: object[]) => chat({ messages });

const REFUSALS: readonly Refusal[] = [
  [
    'participants exist',
    chat({ participants: ['alice', 'nobody'] }),
    '$.conversations[0].participants[1]',
    /no user/,
  ],
  [
    'participants are unique',
    chat({ participants: ['alice', 'bob', 'Alice'] }),
    '$.conversations[0].participants[2]',
    /stands at \[0\] already/,
  ],
  ['there are participants', chat({ participants: [] }), '$.conversations[0].participants', /1 to 51/],
  ['a pair has no name', chat({ name: 'Us' }), '$.conversations[0].name', /groups/],
  [
    'senders are in the conversation',
    message({ from: 'carol', text: 'Hi' }),
    '$.conversations[0].messages[0].from',
    /not among/,
  ],
  ['messages are not empty', message({ from: 'bob' }), '$.conversations[0].messages[0].text', /is missing/],
  [
    'texts are not blank',
    message({ from: 'bob', text: ' ' }),
    '$.conversations[0].messages[0].text',
    /blank/,
  ],
  [
    'texts have at most 10,000 characters',
    message({ from: 'bob', text: 'x'.repeat(10_001) }),
    '$.conversations[0].messages[0].text',
    /10001/,
  ],
  [
    'ids are unique',
    message({ id: '5', from: 'bob', text: 'a' }, { id: '5', from: 'bob', text: 'b' }),
    '$.conversations[0].messages[1].id',
    /stands at/,
  ],
  [
    'media exist',
    message({ from: 'bob', media: '5_404' }),
    '$.conversations[0].messages[0].media',
    /no such media/,
  ],
  [
    'media belong to the sender',
    {
      ...message({ from: 'bob', media: '5_405' }),
      media: [{ media_key: '5_405', type: 'photo', owner: 'alice' }],
    },
    '$.conversations[0].messages[0].media',
    /belongs to @alice/,
  ],
  [
    'media are used in one message only',
    {
      ...message({ from: 'bob', media: '5_405' }, { from: 'bob', media: ['5_405'] }),
      media: [{ media_key: '5_405', type: 'photo' }],
    },
    '$.conversations[0].messages[1].media',
    /is used at/,
  ],
  [
    'a pair has one conversation',
    { conversations: [CHAT, { ...CHAT, participants: ['bob', 'alice'] }] },
    '$.conversations[1].participants',
    /stands at/,
  ],
];

const PHOTO = { media_key: '5_405', type: 'photo', owner: 'bob' };
const POST = { id: '9000', author: 'alice', text: 'Not a message' };
const MESSAGE = { id: '9000', from: 'bob', media: '5_405' };

test('a message cannot have the id of a post, in the file or in the database', async () => {
  const clash = { ...message(MESSAGE), media: [PHOTO] };
  const path = '$.conversations[0].messages[0].id';
  await expectRefusal({ ...clash, posts: [POST] }, path, /stands at \$\.posts\[0\]\.id already/);
  await using app = await startTestApp();
  await app.load({ posts: [POST] });
  await expect(app.load(clash)).rejects.toThrow(`${path}: is the id of a post in the database`);
  await using other = await startTestApp();
  await other.load(clash);
  await other.load(clash);
  await expect(other.load({ posts: [POST] })).rejects.toThrow(
    '$.posts[0].id: is the id of a message in the database',
  );
});

test.each(REFUSALS)('%s', async (_, document, path, reason) => {
  await expectRefusal(document, path, reason);
});

test('a stored message cannot be changed', async () => {
  await using app = await start();
  const load = (from: string, text: string, participants: readonly string[] = ['alice', 'bob']) =>
    app.load({ conversations: [{ participants, messages: [{ id: '1582000000000000001', from, text }] }] });
  await expect(load('alice', 'By its id')).resolves.toBeUndefined();
  await expect(load('alice', 'Changed')).rejects.toThrow('differs from message 1582000000000000001');
  await expect(load('bob', 'By its id')).rejects.toThrow('differs from message');
  await expect(load('alice', 'By its id', ['alice', 'carol'])).rejects.toThrow('another conversation');
  await expect(load('carol', 'By its id', ['carol', 'bob'])).rejects.toThrow('another conversation');
});
