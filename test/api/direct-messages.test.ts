import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalidRequest, missingTarget, refusal } from './support/errors.js';
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
import {
  DAY_MS,
  ID,
  MINUTE_MS,
  NOW,
  openNetwork,
  startNetwork,
  type Name,
  type Network,
} from './support/network.js';
import { block, follow, unblock } from './support/relations.js';

/** Sending direct messages (docs/api/messages.md). Alice, carol and dave accept messages of everyone. */

const PAIR = `${ID.alice}-${ID.bob}`;
const REFUSED = refusal('You do not have permission to DM one or more participants.');

const WORLD = {
  users: [
    { username: 'alice', receives_dms: 'everyone' },
    { username: 'carol', receives_dms: 'everyone' },
    { username: 'dave', receives_dms: 'everyone' },
  ],
};
const network = () => startNetwork(WORLD);

describe('a message to a user', () => {
  test('creates a conversation whose id has the smaller user id first', async () => {
    const net = await network();
    const first = await write(net, 'bob', 'alice', 'Hello');
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      data: { dm_conversation_id: PAIR, dm_event_id: expect.stringMatching(/^[0-9]{15,19}$/) as unknown },
    });
    const second = await write(net, 'alice', 'bob', 'Hi');
    expect(second.body.data.dm_conversation_id).toBe(PAIR);
    const events = await eventsAt(net, 'bob', withPath('alice'));
    expect(events).toEqual([
      {
        id: sentId(second),
        event_type: 'MessageCreate',
        text: 'Hi',
        dm_conversation_id: PAIR,
        created_at: NOW.replace(/\.\d+Z/, '.000Z'),
        sender_id: ID.alice,
      },
      {
        id: sentId(first),
        event_type: 'MessageCreate',
        text: 'Hello',
        dm_conversation_id: PAIR,
        created_at: NOW.replace(/\.\d+Z/, '.000Z'),
        sender_id: ID.bob,
      },
    ]);
    expect(await eventsAt(net, 'alice', withPath('bob'))).toEqual(events);
    expect(await eventsAt(net, 'alice', conversationPath(PAIR))).toEqual(events);
  });

  test('has only id, type and text by default', async () => {
    const net = await network();
    const id = sentId(await write(net, 'bob', 'alice', 'Salt & <pepper>'));
    const { body } = await net.as('alice').get(INBOX);
    expect(body.data).toEqual([{ id, event_type: 'MessageCreate', text: 'Salt &amp; &lt;pepper&gt;' }]);
  });

  test('can be sent by conversation id, also as the first one, with the user ids in either order', async () => {
    const net = await network();
    for (const name of [PAIR, `${ID.bob}-${ID.alice}`]) {
      const { status, body } = await say(net, 'bob', name, `To ${name}`);
      expect([status, body.data?.dm_conversation_id]).toEqual([201, PAIR]);
    }
    expect(textsOf(await eventsAt(net, 'alice', withPath('bob')))).toHaveLength(2);
  });

  test('can be sent to oneself', async () => {
    const net = await network();
    const { body } = await write(net, 'bob', 'bob', 'Note to self');
    expect(body.data.dm_conversation_id).toBe(`${ID.bob}-${ID.bob}`);
    expect(textsOf(await eventsAt(net, 'bob', withPath('bob')))).toEqual(['Note to self']);
    expect(textsOf(await eventsAt(net, 'bob', INBOX))).toEqual(['Note to self']);
  });

  test('returns 404 for an unknown user', async () => {
    const net = await network();
    for (const path of ['with/999', `${ID.bob}-999`]) {
      const answer = await net.as('bob').post(`/2/dm_conversations/${path}/messages`, { text: 'Anybody?' });
      expect([answer.status, answer.body]).toEqual([404, missingTarget('user', 'participant_id', '999')]);
    }
  });
});

describe('permission to write', () => {
  const mayWrite = async (net: Network, from: Name, to: Name): Promise<boolean> => {
    const shown = await net.as(from).get(`/2/users/${ID[to]}?user.fields=receives_your_dm`);
    const answer = await write(net, from, to, 'May I?');
    if (answer.status !== 201) expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    expect(shown.body.data.receives_your_dm).toBe(answer.status === 201);
    return answer.status === 201;
  };

  test('extends to strangers only if the recipient accepts messages of everyone', async () => {
    const net = await network();
    expect(await mayWrite(net, 'alice', 'bob')).toBe(false);
    expect(await mayWrite(net, 'bob', 'alice')).toBe(true);
  });

  test('extends to users that the recipient follows', async () => {
    const net = await network();
    await follow(net, 'erin', 'bob');
    expect(await mayWrite(net, 'erin', 'bob')).toBe(false);
    expect(await mayWrite(net, 'bob', 'erin')).toBe(true);
  });

  test('extends to partners of an existing conversation', async () => {
    const net = await network();
    expect(await mayWrite(net, 'bob', 'alice')).toBe(true);
    expect(await mayWrite(net, 'alice', 'bob')).toBe(true);
  });

  test('ends with a block in either direction; old messages remain', async () => {
    const net = await network();
    await write(net, 'bob', 'alice', 'Hello');
    await block(net, 'alice', 'bob');
    expect(await mayWrite(net, 'bob', 'alice')).toBe(false);
    expect(await mayWrite(net, 'alice', 'bob')).toBe(false);
    expect((await say(net, 'bob', PAIR, 'Still there?')).body).toEqual(REFUSED);
    expect(textsOf(await eventsAt(net, 'bob', withPath('alice')))).toEqual(['Hello']);
    await unblock(net, 'alice', 'bob');
    expect(await mayWrite(net, 'bob', 'alice')).toBe(true);
  });

  test('excludes suspended recipients', async () => {
    const net = await network();
    await net.suspend('alice');
    const answer = await write(net, 'bob', 'alice', 'Hello?');
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
  });

  test('for a group requires permission for each participant', async () => {
    const net = await network();
    const begin = (others: readonly Name[]) =>
      net
        .as('erin')
        .post('/2/dm_conversations', { participant_ids: others.map((name) => ID[name]), text: 'Hi' });
    const refused = await begin(['alice', 'bob']);
    expect([refused.status, refused.body]).toEqual([403, REFUSED]);
    await follow(net, 'bob', 'erin');
    expect((await begin(['alice', 'bob'])).status).toBe(201);
    await block(net, 'alice', 'erin');
    expect((await begin(['alice', 'bob'])).status).toBe(403);
    const nobody = await net.as('erin').post('/2/dm_conversations', {
      participant_ids: [ID.carol, '998'],
      text: 'Hi',
    });
    expect([nobody.status, nobody.body]).toEqual([404, missingTarget('user', 'participant_ids', '998')]);
  });
});

describe('a group', () => {
  test('is always a new conversation, with a join event per participant', async () => {
    const net = await network();
    const first = await createGroup(net, 'bob', ['alice', 'carol'], 'One');
    const second = await createGroup(net, 'bob', ['alice', 'carol'], 'Two');
    expect(first).toMatch(/^[0-9]{15,19}$/);
    expect(second).not.toBe(first);
    const events = await eventsAt(net, 'carol', conversationPath(first));
    expect(events).toMatchObject([
      { event_type: 'MessageCreate', text: 'One', sender_id: ID.bob, dm_conversation_id: first },
      { event_type: 'ParticipantsJoin', sender_id: ID.bob, participant_ids: [ID.carol] },
      { event_type: 'ParticipantsJoin', sender_id: ID.bob, participant_ids: [ID.alice] },
    ]);
    expect(events.slice(1).every((event) => event.text === undefined)).toBe(true);
    for (const name of ['alice', 'bob'] as const) {
      expect(await eventsAt(net, name, conversationPath(first))).toEqual(events);
    }
    expect(await eventsAt(net, 'carol', INBOX)).toHaveLength(6);
  });

  test('delivers messages to all participants, also those who blocked the sender', async () => {
    const net = await network();
    const group = await createGroup(net, 'bob', ['alice', 'carol', 'dave']);
    await block(net, 'alice', 'carol');
    const answer = await say(net, 'carol', group, 'Carol here');
    expect([answer.status, answer.body.data?.dm_conversation_id]).toEqual([201, group]);
    for (const name of ['alice', 'bob', 'carol', 'dave'] as const) {
      expect(textsOf(await eventsAt(net, name, conversationPath(group)))[0]).toBe('Carol here');
    }
  });

  test('accepts nested and flat bodies, with ids as strings or numbers', async () => {
    const net = await network();
    const nested = {
      conversation_type: 'Group',
      participant_ids: [ID.alice, ID.carol],
      message: { text: 'A' },
    };
    const flat = { participant_ids: [Number(ID.alice), Number(ID.carol)], text: 'B' };
    const mixed = { participant_ids: [ID.alice], attachments: [{ media_id: '5' }], media_id: '5' };
    await net.add({ media: [{ media_key: '5_5', type: 'photo', owner: 'bob' }] });
    for (const body of [nested, flat, mixed]) {
      const answer = await net.as('bob').post('/2/dm_conversations', body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
    const differing = { ...nested, text: 'B' };
    const answer = await net.as('bob').post('/2/dm_conversations', differing);
    const message = '$.text: differs from $.message.text';
    expect([answer.status, answer.body]).toEqual([400, invalidRequest([{ '$.text': ['B'] }, message])]);
  });

  test('ignores repeated participants and its creator', async () => {
    const net = await network();
    const answer = await net.as('bob').post('/2/dm_conversations', {
      participant_ids: [ID.alice, ID.alice, ID.bob, ID.carol],
      text: 'Hi',
    });
    const group = answer.body.data.dm_conversation_id as string;
    const joined = await eventsAt(net, 'bob', `${conversationPath(group)}?event_types=ParticipantsJoin`);
    expect(joined.map((event) => event.participant_ids)).toEqual([[ID.carol], [ID.alice]]);
    const alone = await net.as('bob').post('/2/dm_conversations', { participant_ids: [ID.bob], text: 'Hi' });
    const message = '$.participant_ids: must name somebody else';
    expect([alone.status, alone.body]).toEqual([
      400,
      invalidRequest([{ '$.participant_ids': [ID.bob] }, message]),
    ]);
  });

  test('returns 404 to users outside it, like an unknown conversation', async () => {
    const net = await network();
    const group = await createGroup(net, 'bob', ['alice', 'carol']);
    const unknown = '1500000000000000000';
    for (const id of [group, unknown, PAIR, '9223372036854775808', '1-9223372036854775808']) {
      const missing = [404, missingTarget('dm_conversation', 'dm_conversation_id', id)];
      const read = await net.as('dave').get(conversationPath(id));
      expect([read.status, read.body]).toEqual(missing);
      const written = await say(net, 'dave', id, 'Let me in');
      expect([written.status, written.body]).toEqual(missing);
    }
    expect(await eventsAt(net, 'dave', INBOX)).toEqual([]);
  });
});

describe('the body of a message', () => {
  let net: Network;
  beforeAll(async () => {
    net = await openNetwork(WORLD);
  });
  afterAll(() => net.close());

  const send = async (body: unknown, path = `with/${ID.alice}/messages`) => {
    const { status, body: answer } = await net.as('bob').post(`/2/dm_conversations/${path}`, body);
    return [status, answer] as const;
  };

  test.each([
    ['{}', {}, '$.text', [], '$.text: is missing but it is required'],
    ['an empty text', { text: '' }, '$.text', [''], '$.text: must be at least 1 characters long'],
    ['a blank text', { text: ' \n' }, '$.text', [' \n'], '$.text: does not match the regex pattern \\S'],
    ['a text of another type', { text: 7 }, '$.text', ['7'], '$.text: integer found, string expected'],
    [
      'no attachment in the list',
      { attachments: [] },
      '$.attachments',
      ['[]'],
      '$.attachments: there must be a minimum of 1 item in the array',
    ],
    [
      'two attachments',
      { attachments: [{ media_id: '1' }, { media_id: '2' }] },
      '$.attachments',
      ['[{"media_id":"1"},{"media_id":"2"}]'],
      '$.attachments: there must be a maximum of 1 item in the array',
    ],
    [
      'a participant beside the path',
      { text: 'Hi', participant_id: '1' },
      '$.participant_id',
      ['1'],
      '$.participant_id: is not defined in the schema and the schema does not allow additional properties',
    ],
  ])('with %s returns 400', async (_, body, parameter, values, message) => {
    expect(await send(body)).toEqual([400, invalidRequest([{ [parameter]: values }, message])]);
    expect(await send(body, `${PAIR}/messages`)).toEqual([
      400,
      invalidRequest([{ [parameter]: values }, message]),
    ]);
  });

  test('has up to 10,000 characters, counted in code points', async () => {
    expect((await send({ text: '🐦'.repeat(10_000) }))[0]).toBe(201);
    const [status, answer] = await send({ text: 'x'.repeat(10_001) });
    expect(status).toBe(400);
    expect(answer.errors[0].message).toBe('$.text: may only be 10000 characters long');
  });

  test.each([
    [
      'no participants',
      { text: 'Hi' },
      '$.participant_ids',
      [],
      '$.participant_ids: is missing but it is required',
    ],
    [
      'an empty list of participants',
      { participant_ids: [], text: 'Hi' },
      '$.participant_ids',
      ['[]'],
      '$.participant_ids: there must be a minimum of 1 item in the array',
    ],
    ['no message', { participant_ids: ['11'] }, '$.message', [], '$.message: is missing but it is required'],
    [
      'an empty message',
      { participant_ids: ['11'], message: {} },
      '$.message.text',
      [],
      '$.message.text: is missing but it is required',
    ],
    [
      'another type of conversation',
      { conversation_type: 'group', participant_ids: ['11'], text: 'Hi' },
      '$.conversation_type',
      ['group'],
      '$.conversation_type: does not have a value in the enumeration [Group]',
    ],
  ])('of a group with %s returns 400', async (_, body, parameter, values, message) => {
    const answer = await net.as('bob').post('/2/dm_conversations', body);
    expect([answer.status, answer.body]).toEqual([400, invalidRequest([{ [parameter]: values }, message])]);
  });

  test('of a group has at most 50 participants', async () => {
    const users = Array.from({ length: 51 }, (_, n) => ({
      id: String(2000 + n),
      username: `member${n}`,
      name: 'M',
      receives_dms: 'everyone',
    }));
    await net.add({ users });
    const begin = (count: number) =>
      net.as('bob').post('/2/dm_conversations', {
        participant_ids: users.slice(0, count).map(({ id }) => id),
        text: 'Hi',
      });
    const answer = await begin(50);
    expect(answer.status).toBe(201);
    const path = conversationPath(answer.body.data.dm_conversation_id as string);
    expect(await eventsAt(net, 'bob', path)).toHaveLength(51);
    expect((await begin(51)).body.errors[0].message).toBe(
      '$.participant_ids: there must be a maximum of 50 items in the array',
    );
  });
});

test('deleting an event hides it from that user only', async () => {
  const net = await network();
  const id = sentId(await write(net, 'bob', 'alice', 'Oops'));
  const kept = sentId(await write(net, 'bob', 'alice', 'Kept'));
  const gone = await net.as('bob').delete(`/2/dm_events/${id}`);
  expect([gone.status, gone.body]).toEqual([200, { data: { deleted: true } }]);
  for (const path of [INBOX, withPath('alice'), conversationPath(PAIR)]) {
    expect((await eventsAt(net, 'bob', path)).map((event) => event.id)).toEqual([kept]);
  }
  expect((await eventsAt(net, 'alice', withPath('bob'))).map((event) => event.id)).toEqual([kept, id]);
  for (const [name, eventId] of [
    ['bob', id],
    ['carol', kept],
    ['bob', '77'],
  ] as const) {
    const again = await net.as(name).delete(`/2/dm_events/${eventId}`);
    expect([again.status, again.body]).toEqual([404, missingTarget('dm_event', 'event_id', eventId)]);
  }
});

test('the inbox lists events of the last 30 days, a conversation all of its events', async () => {
  const net = await network();
  const old = sentId(await write(net, 'bob', 'alice', 'Long ago'));
  await net.advance(29 * DAY_MS);
  const recent = sentId(await write(net, 'bob', 'alice', 'Lately'));
  const inInbox = async () => (await eventsAt(net, 'alice', INBOX)).map((event) => event.id);
  expect(await inInbox()).toEqual([recent, old]);
  await net.advance(DAY_MS + MINUTE_MS);
  expect(await inInbox()).toEqual([recent]);
  expect((await eventsAt(net, 'alice', withPath('bob'))).map((event) => event.id)).toEqual([recent, old]);
  await net.advance(30 * DAY_MS);
  const { body } = await net.as('alice').get(INBOX);
  expect(body).toEqual({ meta: { result_count: 0 } });
});
