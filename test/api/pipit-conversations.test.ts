import { describe, expect, test } from 'vitest';
import { createGroup, say, sentId, write } from './support/messages.js';
import { ID, startNetwork, type Name, type Network, type World } from './support/network.js';
import { idsIn, walkPages } from './support/pages.js';

/** Conversations with unread messages (docs/api/pipit.md#conversations-of-messages). */

const OPEN: World = {
  users: (['alice', 'bob', 'carol', 'dave'] as const).map((username) => ({
    username,
    receives_dms: 'everyone',
  })),
};
const PATH = '/_pipit/conversations';
const pair = (one: Name, other: Name) => [ID[one], ID[other]].sort().join('-');

interface WireConversation {
  readonly id: string;
  readonly unread_count: number;
  readonly last_event: { readonly id: string; readonly text?: string };
}

const listOf = async (network: Network, name: Name) =>
  ((await network.as(name).get(PATH)).body.data ?? []) as WireConversation[];
const unreadOf = async (network: Network, name: Name) =>
  Object.fromEntries((await listOf(network, name)).map(({ id, unread_count }) => [id, unread_count]));
const read = (network: Network, name: Name, id: string, event: unknown) =>
  network.as(name).post(`${PATH}/${id}/read`, { up_to_event_id: event });

describe('conversations', () => {
  test('are listed by their newest events, with participants', async () => {
    const network = await startNetwork(OPEN);
    const group = await createGroup(network, 'alice', ['bob', 'carol'], 'Hello all');
    await write(network, 'bob', 'alice', 'Hello alice');
    await write(network, 'dave', 'alice', 'Hello from dave');
    await say(network, 'carol', group, 'Hello back');
    const { body } = await network
      .as('alice')
      .get(
        `${PATH}?expansions=participant_ids,sender_id&dm_event.fields=sender_id,created_at&user.fields=location`,
      );
    expect(body.data).toEqual([
      {
        id: group,
        type: 'group',
        participant_ids: [ID.alice, ID.bob, ID.carol],
        last_event: {
          id: expect.any(String) as string,
          event_type: 'MessageCreate',
          text: 'Hello back',
          sender_id: ID.carol,
          created_at: expect.any(String) as string,
        },
        unread_count: 1,
      },
      ...(['dave', 'bob'] as const).map((name) => ({
        id: pair('alice', name),
        type: 'one_to_one',
        participant_ids: [ID.alice, ID[name]],
        last_event: expect.objectContaining({ sender_id: ID[name] }) as unknown,
        unread_count: 1,
      })),
    ]);
    const one = await network.as('alice').get(`${PATH}/${group}?dm_event.fields=sender_id,created_at`);
    expect(one.body).toEqual({ data: body.data[0] });
    for (const [name, id] of [
      ['dave', group],
      ['dave', pair('alice', 'bob')],
      ['alice', pair('alice', 'carol')],
    ] as const) {
      const { status, body: refused } = await network.as(name).get(`${PATH}/${id}`);
      expect([status, refused.resource_type]).toEqual([404, 'dm_conversation']);
    }
    const names = (body.includes.users as { username: string }[]).map(({ username }) => username);
    expect(names.sort()).toEqual(['alice', 'bob', 'carol', 'dave']);
    const pages = await walkPages(network.as('alice'), PATH, 1);
    expect(pages.flatMap(({ ids }) => ids)).toEqual([group, pair('alice', 'dave'), pair('alice', 'bob')]);
    expect(idsIn(await network.as('erin').get(PATH))).toEqual([]);
  });

  test('count messages of others until they are read, and reading never goes back', async () => {
    const network = await startNetwork(OPEN);
    const id = pair('alice', 'bob');
    const sent: string[] = [];
    for (const text of ['one', 'two', 'three']) sent.push(sentId(await write(network, 'bob', 'alice', text)));
    expect([await unreadOf(network, 'alice'), await unreadOf(network, 'bob')]).toEqual([
      { [id]: 3 },
      { [id]: 0 },
    ]);
    for (const [event, left] of [
      [sent[1], 1],
      [sent[0], 1],
      [sent[2], 0],
    ] as const) {
      const { status, body } = await read(network, 'alice', id, event);
      expect([status, body]).toEqual([200, { data: { unread_count: left } }]);
    }
    await write(network, 'bob', 'alice', 'four');
    expect(await unreadOf(network, 'alice')).toEqual({ [id]: 1 });
    await write(network, 'alice', 'bob', 'five');
    expect([await unreadOf(network, 'alice'), await unreadOf(network, 'bob')]).toEqual([
      { [id]: 0 },
      { [id]: 1 },
    ]);
  });

  test('follow the deletion of events, and end with the last one', async () => {
    const network = await startNetwork(OPEN);
    const [first, second] = [
      sentId(await write(network, 'bob', 'alice', 'one')),
      sentId(await write(network, 'bob', 'alice', 'two')),
    ];
    await network.as('alice').delete(`/2/dm_events/${second}`);
    const [conversation] = await listOf(network, 'alice');
    expect([conversation?.last_event.id, conversation?.unread_count]).toEqual([first, 1]);
    await network.as('alice').delete(`/2/dm_events/${first}`);
    expect(await listOf(network, 'alice')).toEqual([]);
    expect(await unreadOf(network, 'bob')).toEqual({ [pair('alice', 'bob')]: 0 });
    await network.deleteAccount('alice');
    expect(await listOf(network, 'bob')).toHaveLength(1);
  });

  test('of others, and unknown events, return 404', async () => {
    const network = await startNetwork(OPEN);
    const event = sentId(await write(network, 'bob', 'alice', 'one'));
    const id = pair('alice', 'bob');
    expect((await read(network, 'carol', id, event)).status).toBe(404);
    expect((await read(network, 'alice', pair('alice', 'carol'), event)).status).toBe(404);
    expect((await read(network, 'alice', id, '404')).body).toMatchObject({ resource_type: 'dm_event' });
    expect((await read(network, 'alice', 'x', event)).status).toBe(400);
    expect((await read(network, 'alice', id, undefined)).status).toBe(400);
    expect((await network.app.get(PATH)).status).toBe(403);
    expect(await unreadOf(network, 'alice')).toEqual({ [id]: 1 });
  });
});
