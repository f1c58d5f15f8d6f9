import { describe, expect, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { createSpaceService, type SpaceService } from '../../src/services/spaces/spaces.js';
import { findUser } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { NOW } from './support/network.js';
import { idsIn } from './support/pages.js';

/** Creating, changing and ending Spaces (docs/api/errors.md#refused-actions, docs/api/spaces.md). */

/** Runs operator actions and reads their effect through the API. */
async function withSpaces(
  work: (app: TestApp, spaces: SpaceService, at: (time: string) => void) => Promise<void>,
): Promise<void> {
  const time = { nowMs: Date.parse(NOW) };
  const clock = () => time.nowMs;
  await using app = await startTestApp({ clock });
  const spaces = createSpaceService({ ...app.pipit.backend, clock });
  await work(app, spaces, (text) => (time.nowMs = Date.parse(text)));
}

const userId = (name: keyof typeof USERS) => BigInt(USERS[name]) as UserId;

describe('an operator', () => {
  test('takes a Space from scheduled to live to ended, visible at once', () =>
    withSpaces(async (app, spaces, at) => {
      const { id } = await spaces.create({
        title: 'Birds',
        creatorId: userId('alice'),
        state: 'scheduled',
        speakerIds: [userId('bob')],
      });
      const shown = async () =>
        (
          await app.get(
            `/2/spaces/${id}?space.fields=started_at,ended_at,participant_count,updated_at`,
            app.bearer,
          )
        ).body.data as unknown;
      expect(id).toMatch(/^[a-zA-Z0-9]{13}$/);
      expect(await shown()).toEqual({ id, state: 'scheduled', participant_count: 0, updated_at: NOW });
      at('2022-10-08T00:00:00Z');
      await spaces.change(id, { state: 'live' });
      const live = { started_at: '2022-10-08T00:00:00.000Z', participant_count: 2 };
      expect(await shown()).toEqual({ id, state: 'live', ...live, updated_at: live.started_at });
      expect(idsIn(await app.get('/2/spaces/search?query=birds', app.bearer))).toEqual([id]);
      at('2022-10-08T01:00:00Z');
      await spaces.change(id, { state: 'ended' });
      const ended_at = '2022-10-08T01:00:00.000Z';
      expect(await shown()).toEqual({ id, state: 'ended', ...live, ended_at, updated_at: ended_at });
      for (const path of ['search?query=birds', `by/creator_ids?user_ids=${USERS.alice}`]) {
        expect(idsIn(await app.get(`/2/spaces/${path}`, app.bearer))).toEqual([]);
      }
      await expect(spaces.change(id, { state: 'live' })).rejects.toThrow('This Space is ended.');
      await expect(spaces.change(id, { state: 'ended' })).rejects.toThrow('This Space is ended.');
    }));

  test('changes its title, which search uses at once', () =>
    withSpaces(async (app, spaces) => {
      const { id } = await spaces.create({ title: 'Birds', creatorId: userId('alice'), state: 'live' });
      await spaces.change(id, { title: 'Fish', participants: 7 });
      const found = async (query: string) =>
        idsIn(await app.get(`/2/spaces/search?query=${query}`, app.bearer));
      expect([await found('birds'), await found('fish')]).toEqual([[], [id]]);
      const { body } = await app.get(`/2/spaces/${id}?space.fields=participant_count,title`, app.bearer);
      expect(body.data).toEqual({ id, state: 'live', title: 'Fish', participant_count: 7 });
    }));

  test('adds ticket buyers and shared posts, once each', () =>
    withSpaces(async (app, spaces) => {
      const options = { title: 'Birds', creatorId: userId('alice'), state: 'live' } as const;
      const { id } = await spaces.create({ ...options, isTicketed: true });
      for (let time = 0; time < 2; time += 1) {
        await spaces.change(id, { buyers: [userId('bob')], posts: [BigInt(POSTS.hello) as PostId] });
      }
      const alice = await app.as('alice');
      expect(idsIn(await app.get(`/2/spaces/${id}/buyers`, alice))).toEqual([USERS.bob]);
      expect(idsIn(await app.get(`/2/spaces/${id}/tweets`, alice))).toEqual([POSTS.hello]);
      await expect(spaces.change(id, { posts: [404n as PostId] })).rejects.toThrow('no tweet 404');
      const free = await spaces.create(options);
      await expect(spaces.change(free.id, { buyers: [userId('bob')] })).rejects.toThrow(
        'No tickets are sold',
      );
    }));

  test('applies a change whole or not at all', () =>
    withSpaces(async (app, spaces) => {
      const options = { title: 'Birds', creatorId: userId('alice'), state: 'live' } as const;
      const { id } = await spaces.create({ ...options, isTicketed: true });
      const changes = { title: 'Fish', buyers: [userId('bob')], state: 'ended' } as const;
      for (const refused of [{ posts: [404n as PostId] }, { isTicketed: false }]) {
        await expect(spaces.change(id, { ...changes, ...refused })).rejects.toThrow();
      }
      const shown = await app.get(
        `/2/spaces/${id}?space.fields=title,subscriber_count`,
        await app.as('alice'),
      );
      expect(shown.body.data).toEqual({ id, state: 'live', title: 'Birds', subscriber_count: 0 });
    }));

  test('cancels a scheduled Space without participants', () =>
    withSpaces(async (app, spaces) => {
      const { id } = await spaces.create({ title: 'Birds', creatorId: userId('alice'), state: 'scheduled' });
      await spaces.change(id, { state: 'ended' });
      await spaces.change(id, { title: 'Fish' });
      const { body } = await app.get(
        `/2/spaces/${id}?space.fields=participant_count,started_at,ended_at`,
        app.bearer,
      );
      expect(body.data).toEqual({ id, state: 'ended', participant_count: 0, ended_at: NOW });
    }));

  test('deletes Spaces with their creator’s account and tickets with their buyer’s account', () =>
    withSpaces(async (app, spaces) => {
      const mine = { title: 'Birds', creatorId: userId('bob'), state: 'live' } as const;
      const gone = await spaces.create({ ...mine, isTicketed: true });
      const kept = await spaces.create({ ...mine, creatorId: userId('carol'), isTicketed: true });
      await spaces.change(kept.id, { buyers: [userId('bob')] });
      const { engine, clock, ids } = app.pipit.backend;
      const bob = await findUser(engine, userId('bob'));
      if (!bob) throw new Error('no bob');
      await deleteAccount({ engine, clock, ids }, bob);
      expect(idsIn(await app.get(`/2/spaces?ids=${gone.id},${kept.id}`, app.bearer))).toEqual([kept.id]);
      const { body } = await app.get(
        `/2/spaces/${kept.id}?space.fields=subscriber_count`,
        await app.as('carol'),
      );
      expect(body.data.subscriber_count).toBe(0);
    }));
});

test('Spaces by creator can be read once a second (docs/api/spaces.md)', async () => {
  const time = { nowMs: Date.parse(NOW) };
  await using app = await startTestApp({ clock: () => time.nowMs, flags: { rateLimits: 'standard' } });
  const get = async () =>
    (await app.get(`/2/spaces/by/creator_ids?user_ids=${USERS.alice}`, APP.bearer_token)).status;
  expect([await get(), await get()]).toEqual([200, 429]);
  time.nowMs += 1000;
  expect(await get()).toBe(200);
});
