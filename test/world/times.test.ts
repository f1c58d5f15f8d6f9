import { expect, test } from 'vitest';
import { WorldRefused } from '../../src/world/faults.js';
import { startTestApp } from '../support/app.js';
import { APP } from '../support/world.js';

const NOW = Date.parse('2031-05-06T07:08:09Z');
const USERS = [
  { id: '1', username: 'erin', name: 'Erin' },
  { id: '2', username: 'frank', name: 'Frank' },
];

test.each([
  ['now', '2031-05-06T07:08:09.000Z'],
  ['now-90s', '2031-05-06T07:06:39.000Z'],
  ['now-5m', '2031-05-06T07:03:09.000Z'],
  ['now+3h', '2031-05-06T10:08:09.000Z'],
  ['now-2d', '2031-05-04T07:08:09.000Z'],
  ['2022-02-01T00:00:00Z', '2022-02-01T00:00:00.000Z'],
])('the time %s of a file loaded at a known moment is %s', async (created_at, expected) => {
  await using app = await startTestApp({ clock: () => NOW });
  await app.load({ users: USERS, posts: [{ id: '1001', author: 'erin', text: 'At sea', created_at }] });
  const { body } = await app.get('/2/tweets/1001?tweet.fields=created_at', app.bearer);
  expect(body.data.created_at).toBe(expected);
});

test.each(['now-', 'now-5', 'now-5w', 'now-1234567s', 'Now', 'now -5m', 'now-5m+1h', '-5m', ''])(
  'the time "%s" is refused with its path',
  async (created_at) => {
    await using app = await startTestApp({ clock: () => NOW });
    const loading = app.load({ users: [{ ...USERS[0], created_at }] });
    const error = await loading.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(WorldRefused);
    expect((error as WorldRefused).faults).toMatchObject([{ path: '$.users[0].created_at' }]);
  },
);

test('a message with a relative time is not added again by a later load', async () => {
  let nowMs = NOW;
  await using app = await startTestApp({ clock: () => nowMs });
  const conversation = {
    participants: ['erin', 'frank'],
    messages: [{ from: 'erin', text: 'Ahoy', at: 'now-1h' }],
  };
  const token = { app: APP.id, user: 'erin', kind: 'oauth2', access_token: 'erin-token' };
  const world = { users: USERS, conversations: [conversation], tokens: [token] };
  await app.load(world);
  nowMs += 60_000;
  await app.load(world);
  expect((await app.get('/2/dm_events', 'erin-token')).body.data).toHaveLength(1);
});
