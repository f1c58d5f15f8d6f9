import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, type CliOutcome } from '../support/cli.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { POSTS, standardWorld } from '../support/world.js';
import type { LooseJson } from '../support/loose-json.js';

/** `pipit space ...` (docs/command-line.md). */

type Pipit = (...args: string[]) => Promise<CliOutcome & { json: LooseJson }>;

async function withWorld(work: (pipit: Pipit) => Promise<void>): Promise<void> {
  await using database = await createSharedDatabase();
  await work(await openWorld(database));
}

/** Loads the standard world and returns a function that runs a command on it. */
async function openWorld(database: SharedDatabase): Promise<Pipit> {
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const pipit: Pipit = async (...args) => {
    const outcome = await runCli([...args, '--json'], io);
    return { ...outcome, json: outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout) };
  };
  await writeFile(database.file('world.json'), JSON.stringify(standardWorld()));
  expect(await pipit('load', database.file('world.json'))).toMatchObject({ status: 0 });
  return pipit;
}

test('space create, start and end change the state of a Space', () =>
  withWorld(async (pipit) => {
    const created = await pipit(
      ...['space', 'create', 'All about #birds', '--creator', 'alice', '--lang', 'en', '--ticketed'],
      ...['--scheduled-start', '2030-01-02T03:04:05Z', '--speaker', 'bob', '--speaker', 'carol'],
    );
    expect(created.json).toMatchObject({
      id: expect.stringMatching(/^[a-zA-Z0-9]{13}$/),
      creator: 'alice',
      title: 'All about #birds',
      state: 'scheduled',
      scheduled_start: '2030-01-02T03:04:05.000Z',
      lang: 'en',
      is_ticketed: true,
      hosts: ['alice'],
      speakers: ['bob', 'carol'],
      participant_count: 0,
    });
    const { id } = created.json;
    const live = await pipit('space', 'start', id);
    expect(live.json).toMatchObject({ state: 'live', started_at: expect.any(String), participant_count: 3 });
    expect((await pipit('space', 'end', id)).json).toMatchObject({
      state: 'ended',
      ended_at: expect.any(String),
    });
    expect(await pipit('space', 'start', id)).toMatchObject({
      status: 1,
      stderr: 'pipit: This Space is ended.',
    });
    expect((await pipit('space', 'list')).json.map((space: { id: string }) => space.id)).toEqual([id]);
  }));

test('space end cancels a scheduled Space', () =>
  withWorld(async (pipit) => {
    const { json } = await pipit('space', 'create', '--title', 'Birds', '--creator', '@alice');
    expect((await pipit('space', 'end', json.id)).json).toMatchObject({ state: 'ended' });
  }));

test('space update changes settings, shares posts, adds ticket buyers and starts the Space', () =>
  withWorld(async (pipit) => {
    const { json } = await pipit('space', 'create', 'Birds', '--creator', 'alice', '--state', 'live');
    const changed = await pipit(
      ...['space', 'update', json.id, '--title', 'Fish', '--ticketed', '--participant-count', '12'],
      ...['--post', POSTS.hello, '--buyer', 'bob', '--host', 'bob', '--state', 'ended'],
    );
    expect([changed.status, changed.stderr]).toEqual([0, '']);
    expect(changed.json).toMatchObject({
      title: 'Fish',
      is_ticketed: true,
      hosts: ['bob'],
      participant_count: 12,
      state: 'ended',
    });
  }));

test('space update applies all of its changes or none, and ignores repeated users', () =>
  withWorld(async (pipit) => {
    const hosts = ['--host', 'alice', '--host', 'ALICE', '--host', 'bob'];
    const { json } = await pipit('space', 'create', 'Birds', '--creator', 'alice', ...hosts);
    expect(json.hosts).toEqual(['alice', 'bob']);
    expect(await pipit('space', 'update', json.id, '--title', 'Fish', '--buyer', 'bob')).toMatchObject({
      status: 1,
      stderr: 'pipit: No tickets are sold for this Space.',
    });
    expect((await pipit('space', 'list')).json).toEqual([json]);
  }));

describe('space refuses', () => {
  let database: SharedDatabase;
  let pipit: Pipit;
  let id: string;
  beforeAll(async () => {
    database = await createSharedDatabase();
    pipit = await openWorld(database);
    id = (await pipit('space', 'create', 'Birds', '--creator', 'alice')).json.id;
  });
  afterAll(() => database.remove());

  test.each([
    ['an unknown creator', ['create', 'Birds', '--creator', 'nobody'], 1, 'there is no user @nobody'],
    ['no title', ['create', '--creator', 'alice'], 2, 'a Space needs a title'],
    ['an unknown Space', ['end', 'nothing'], 1, 'no space nothing'],
    ['a malformed id', ['end', 'a-b'], 2, 'is not a Space id'],
    ['an unknown post', ['update', 'SPACE', '--post', '404'], 1, 'no tweet 404'],
    ['tickets where none are sold', ['update', 'SPACE', '--buyer', 'bob'], 1, 'No tickets are sold'],
    ['no time', ['update', 'SPACE', '--scheduled-start', 'noon'], 2, 'It must have the form'],
    ['no day', ['update', 'SPACE', '--scheduled-start', '2022-02-30T00:00:00Z'], 2, 'It must have the form'],
    ['no language', ['update', 'SPACE', '--lang', ''], 2, 'a language has 1 to 35 characters'],
    ['no number', ['update', 'SPACE', '--participant-count', 'many'], 2, 'It must be a number'],
  ] as const)('%s in one line', async (_what, args, status, message) => {
    const outcome = await pipit('space', ...args.map((arg) => (arg === 'SPACE' ? id : arg)));
    expect([outcome.status, outcome.stdout]).toEqual([status, '']);
    expect(outcome.stderr).toContain(message);
  });
});
