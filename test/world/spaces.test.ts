import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { createRefuser } from './refusals.js';

/** Spaces of world files (docs/world-files.md). The standard world has alice, bob, carol and dave. */

const { expectRefusal, faultsOf } = createRefuser();

const SPACE = { id: '1DXxyRYNejbKM', creator: 'alice', title: 'Birds', state: 'live' };

test('loading Spaces again changes nothing', async () => {
  await using app = await startTestApp();
  const world = { spaces: [{ ...SPACE, buyers: ['bob', 'carol'], posts: [POSTS.hello] }] };
  await app.load(world);
  await app.load({ spaces: [{ ...world.spaces[0], title: 'Fish' }] });
  const url = `/2/spaces/${SPACE.id}`;
  const { body } = await app.get(
    `${url}?space.fields=title,subscriber_count,host_ids`,
    await app.as('alice'),
  );
  expect(body.data).toEqual({
    id: SPACE.id,
    state: 'live',
    title: 'Birds',
    subscriber_count: 2,
    host_ids: [USERS.alice],
  });
  expect((await app.get(`${url}/tweets`, app.bearer)).body.meta.result_count).toBe(1);
});

test('a Space is created before it starts, and people are listed once', async () => {
  await using app = await startTestApp();
  const times = { started_at: '2022-01-02T00:00:00Z', ended_at: '2022-01-02T01:00:00Z' };
  const people = { hosts: ['alice', 'Alice'], speakers: ['bob', 'bob'], invited: ['carol', 'CAROL'] };
  await app.load({ spaces: [{ ...SPACE, ...times, ...people, state: 'ended' }] });
  const { body } = await app.get(
    `/2/spaces/${SPACE.id}?space.fields=created_at,updated_at,host_ids,speaker_ids,invited_user_ids`,
    app.bearer,
  );
  expect(body.data).toEqual({
    id: SPACE.id,
    state: 'ended',
    created_at: '2022-01-02T00:00:00.000Z',
    updated_at: '2022-01-02T01:00:00.000Z',
    host_ids: [USERS.alice],
    speaker_ids: [USERS.bob],
    invited_user_ids: [USERS.carol],
  });
});

test('a repeated topic is one topic', async () => {
  const topics = [
    { id: '7', name: 'Ornithology' },
    { id: '7', name: 'Fishery' },
  ];
  await expectRefusal({ spaces: [{ ...SPACE, topics }] }, '$.spaces[0].topics[1].id', /stands at/);
});

test.each([
  ['an id is valid', { ...SPACE, id: '12345678901234' }, 'id', /the id of a Space/],
  ['a state is valid', { ...SPACE, state: 'cancelled' }, 'state', /must be one of scheduled, live, ended/],
  ['the creator exists', { ...SPACE, creator: 'nobody' }, 'creator', /no user "nobody"/],
  ['hosts exist', { ...SPACE, hosts: ['bob', 'nobody'] }, 'hosts[1]', /no user "nobody"/],
  ['buyers exist', { ...SPACE, buyers: ['nobody'] }, 'buyers[0]', /no user "nobody"/],
  ['posts exist', { ...SPACE, posts: ['404'] }, 'posts[0]', /no post 404/],
  ['topics have names', { ...SPACE, topics: [{ id: '7' }] }, 'topics[0].name', /is missing/],
  ['keys are known', { ...SPACE, colour: 'red' }, 'colour', /is no known key/],
])('%s', (_rule, entry, key, reason) => expectRefusal({ spaces: [entry] }, `$.spaces[0].${key}`, reason));

test('Space ids are unique', async () => {
  expect(await faultsOf({ spaces: [SPACE, SPACE] })).toEqual([
    '$.spaces[1].id: stands at $.spaces[0].id already',
  ]);
});

test('a stored Space must have the same creator', async () => {
  await using app = await startTestApp();
  await app.load({ spaces: [SPACE] });
  await expect(app.load({ spaces: [{ ...SPACE, creator: 'bob' }] })).rejects.toThrow(/is a Space of user/);
});
