import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeProfile } from '../../src/services/accounts/settings.js';
import { createSpaceService } from '../../src/services/spaces/spaces.js';
import type { LooseJson } from '../support/loose-json.js';
import { USERS, type Username } from '../support/world.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** Events of relations, profiles, messages and Spaces (docs/api/activity.md). */

let server: ActivityApp;
beforeEach(async () => {
  server = await startActivityApp();
});
afterEach(() => server.close());

const typesOf = (seen: readonly LooseJson[]): string[] => seen.map(({ event_type }) => event_type as string);

describe('follow.follow and follow.unfollow', () => {
  test('have both users, in both directions', async () => {
    await server.subscribe('follow.follow', 'alice', { direction: 'outbound' });
    await server.subscribe('follow.follow', 'bob', { direction: 'inbound' });
    await server.subscribe('follow.unfollow', 'bob');
    await server.relate('alice', 'following', 'bob');
    await server.relate('alice', 'following', 'carol');
    await server.unrelate('alice', 'following', 'bob');
    const seen = await server.events();
    expect(typesOf(seen)).toEqual(['follow.follow', 'follow.follow', 'follow.follow', 'follow.unfollow']);
    expect(seen.map(({ filter }) => filter.user_id as string)).toEqual([
      USERS.alice,
      USERS.bob,
      USERS.alice,
      USERS.bob,
    ]);
    expect(seen[3]?.payload).toMatchObject({
      source: { data: { id: USERS.alice, username: 'alice' } },
      target: { data: { id: USERS.bob, username: 'bob' } },
    });
  });

  test('of protected accounts reach only subscribers that may see them', async () => {
    await server.subscribe('follow.follow', 'dave');
    await server.subscribe('follow.follow', 'alice', { isOwn: true, direction: 'inbound' });
    await server.relate('dave', 'following', 'alice');
    const seen = await server.events();
    expect(seen.map(({ filter }) => filter.user_id as string)).toEqual([USERS.alice]);
  });

  test('a block ends follows, and tells both', async () => {
    await server.subscribe('follow.unfollow', 'bob', { direction: 'outbound' });
    await server.subscribe('block.block', 'alice', { isOwn: true });
    await server.subscribe('block.unblock', 'alice', { isOwn: true });
    await server.relate('alice', 'blocking', 'bob');
    await server.unrelate('alice', 'blocking', 'bob');
    const seen = await server.events();
    expect(typesOf(seen).sort()).toEqual(['block.block', 'block.unblock', 'follow.unfollow']);
    expect(seen.find(({ event_type }) => event_type === 'block.block')?.payload).toMatchObject({
      source: { data: { id: USERS.alice } },
      target: { data: { id: USERS.bob } },
    });
  });
});

test('mute.mute and mute.unmute come to the user who mutes alone', async () => {
  for (const type of ['mute.mute', 'mute.unmute', 'block.block']) {
    await server.subscribe(type, 'bob', { isOwn: true });
    await server.subscribe(type, 'carol', { isOwn: true });
  }
  await server.relate('bob', 'muting', 'carol');
  await server.unrelate('bob', 'muting', 'carol');
  const seen = await server.events();
  expect(seen.map(({ event_type, filter }) => [event_type, filter.user_id] as unknown)).toEqual([
    ['mute.mute', USERS.bob],
    ['mute.unmute', USERS.bob],
  ]);
  expect(seen[0]?.payload.target).toMatchObject({ data: { id: USERS.carol } });
});

test('profile.update comes for each changed member, before and after', async () => {
  const members = ['bio', 'screenname', 'geo', 'url'];
  for (const member of members) await server.subscribe(`profile.update.${member}`, 'alice');
  const { backend } = server.app.pipit;
  const change = (profile: object) =>
    changeProfile(
      backend,
      { id: server.idOf('alice') },
      { name: 'Alice', description: '', location: '', url: '', ...profile },
    );
  await change({ description: 'Herons', location: 'Pond' });
  await change({ name: 'Alice H.', description: 'Herons', location: 'Pond', url: 'https://example.com' });
  expect((await server.events()).map(({ event_type, payload }) => [event_type, payload] as unknown)).toEqual([
    ['profile.update.bio', { before: '', after: 'Herons' }],
    ['profile.update.geo', { before: '', after: 'Pond' }],
    ['profile.update.screenname', { before: 'Alice', after: 'Alice H.' }],
    ['profile.update.url', { before: '', after: 'https://example.com' }],
  ]);
});

describe('dm.sent and dm.received', () => {
  const send = (from: Username, to: Username, text: string) =>
    server.act(from, 'POST', `/2/dm_conversations/with/${USERS[to]}/messages`, { text });

  test('come to the sender and to the recipient', async () => {
    await server.subscribe('dm.sent', 'alice', { isOwn: true });
    await server.subscribe('dm.received', 'bob', { isOwn: true });
    await server.subscribe('dm.received', 'carol', { isOwn: true });
    const { dm_event_id: id } = await send('alice', 'bob', 'a <heron> for @carol');
    const seen = await server.events();
    expect(seen.map(({ event_type, filter }) => [event_type, filter.user_id] as unknown)).toEqual([
      ['dm.sent', USERS.alice],
      ['dm.received', USERS.bob],
    ]);
    expect(seen[0]?.payload).toEqual(seen[1]?.payload);
    expect(seen[0]?.payload).toMatchObject({
      direct_message_events: [
        {
          type: 'message_create',
          id,
          created_timestamp: expect.stringMatching(/^[0-9]{13}$/),
          message_create: {
            target: { recipient_id: USERS.bob },
            sender_id: USERS.alice,
            message_data: {
              text: 'a &lt;heron&gt; for @carol',
              entities: {
                hashtags: [],
                symbols: [],
                user_mentions: [{ screen_name: 'carol', name: 'Carol', id: Number(USERS.carol) }],
                urls: [],
              },
            },
          },
        },
      ],
      users: { [USERS.alice]: { data: { username: 'alice' } }, [USERS.bob]: { data: { username: 'bob' } } },
    });
  });

  test('come to every other member of a group', async () => {
    for (const name of ['alice', 'bob', 'carol'] as const) {
      await server.subscribe('dm.received', name, { isOwn: true });
      await server.subscribe('dm.sent', name, { isOwn: true });
    }
    await server.act('alice', 'POST', '/2/dm_conversations', {
      conversation_type: 'Group',
      participant_ids: [USERS.bob, USERS.carol],
      message: { text: 'a heron' },
    });
    const seen = await server.events();
    const recipients = seen.map(({ event_type, payload }) => {
      const [message] = payload.direct_message_events;
      return [event_type, message.message_create.target.recipient_id] as unknown;
    });
    expect(recipients).toEqual([
      ['dm.sent', undefined],
      ['dm.received', USERS.bob],
      ['dm.received', USERS.carol],
    ]);
  });

  test('come once each for a message to oneself', async () => {
    await server.subscribe('dm.sent', 'alice', { isOwn: true });
    await server.subscribe('dm.received', 'alice', { isOwn: true });
    await send('alice', 'alice', 'a note');
    expect(typesOf(await server.events())).toEqual(['dm.sent', 'dm.received']);
  });
});

test('spaces.start and spaces.end come when a Space becomes live, and ends after it was', async () => {
  await server.subscribe('spaces.start', 'bob');
  await server.subscribe('spaces.end', 'bob');
  const spaces = createSpaceService(server.app.pipit.backend);
  const make = (state: 'scheduled' | 'live') =>
    spaces.create({ title: 'Pond', creatorId: server.idOf('bob'), state });
  const scheduled = await make('scheduled');
  const live = await make('live');
  await spaces.change(live.id, { title: 'Ponds' });
  await spaces.change(scheduled.id, { state: 'live' });
  await spaces.change(live.id, { state: 'ended' });
  const cancelled = await make('scheduled');
  await spaces.change(cancelled.id, { state: 'ended' });
  const seen = await server.events();
  expect(seen.map(({ event_type, payload }) => [event_type, payload.broadcast_id] as unknown)).toEqual([
    ['spaces.start', live.id],
    ['spaces.start', scheduled.id],
    ['spaces.end', live.id],
  ]);
  expect(seen[0]?.payload).toMatchObject({ user: { data: { id: USERS.bob } }, event_type: 'spaces_start' });
});
