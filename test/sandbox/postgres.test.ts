import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import pg from 'pg';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { spawnCli } from '../support/cli.js';
import { standardWorld } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const postgres = inject('postgres');

const textsOf = async ({ send }: TestSandbox): Promise<string[]> => {
  const { body } = await send('GET', '/2/users/1001/tweets', 'testbearer');
  return (body.data ?? []).map(({ text }: { text: string }) => text) as string[];
};

test.skipIf(!postgres)(
  'a sandbox on PostgreSQL resets, restores snapshots and takes another world, and drops its copies at the end',
  async () => {
    const server = postgres?.server ?? '';
    const name = await createDatabase(server, postgres?.template);
    const dataFolder = await mkdtemp(join(tmpdir(), 'pipit-sandbox-'));
    try {
      const flags = { database: databaseUrl(server, name) };
      {
        await using pipit = await startTestSandbox({ flags, dataFolder });
        const post = async (text: string) =>
          pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text });
        await post('first');
        expect((await pipit.control('POST', '/snapshots', { name: 'one' })).status).toBe(201);
        await post('second');
        expect(await textsOf(pipit)).toEqual(['second', 'first', 'Hello from the pond #birds']);
        expect((await pipit.control('POST', '/snapshots/one/restore')).status).toBe(200);
        expect(await textsOf(pipit)).toEqual(['first', 'Hello from the pond #birds']);
        expect((await pipit.control('POST', '/clock/advance', { duration: '2h' })).status).toBe(200);
        const world = { ...standardWorld(), posts: [{ id: '9', author: 'alice', text: 'A new world' }] };
        const replaced = await pipit.control('PUT', '/world', { ...world, likes: [], bookmarks: [] });
        expect([replaced.status, replaced.body.errors]).toEqual([200, undefined]);
        await post('forgotten');
        expect((await pipit.control('POST', '/reset')).status).toBe(200);
        expect(await textsOf(pipit)).toEqual(['A new world']);
        await pipit.control('POST', '/snapshots/one/restore');
        expect(await textsOf(pipit)).toEqual(['first', 'Hello from the pond #birds']);
      }
      await using again = await startTestSandbox({ flags, dataFolder, world: null });
      expect(await textsOf(again)).toEqual(['first', 'Hello from the pond #birds']);
    } finally {
      await dropDatabase(server, name);
      await rm(dataFolder, { recursive: true });
    }
  },
);

/** Returns the copies on a server, by their owners. */
async function ownersOfCopies(server: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    return new Set(rows.flatMap(({ datname }) => /^pipit_sandbox_[0-9a-f]+/.exec(datname)?.[0] ?? []));
  } finally {
    await client.end();
  }
}

test.skipIf(!postgres)(
  'a sandbox drops the copies that killed ones have left on its server, and those of no other',
  async () => {
    const server = postgres?.server ?? '';
    const names = [];
    for (let n = 0; n < 3; n += 1) names.push(await createDatabase(server, postgres?.template));
    const [first = '', second = '', third = ''] = names.map((name) => databaseUrl(server, name));
    const before = await ownersOfCopies(server);
    const folder = await mkdtemp(join(tmpdir(), 'pipit-sandbox-'));
    const newOwners = async () => [...(await ownersOfCopies(server))].filter((owner) => !before.has(owner));
    try {
      await using running = await startTestSandbox({
        flags: { database: first },
        dataFolder: join(folder, '1'),
      });
      const [used = ''] = await newOwners();
      const args = ['serve', '--sandbox', '--database', second, '--port', '0'];
      await using killed = spawnCli(args, folder);
      await killed.ready();
      const [left = ''] = (await newOwners()).filter((owner) => owner !== used);
      expect(left).not.toBe('');
      killed.child.kill('SIGKILL');
      await killed.exit();
      // The server sees the end of a connection when it next looks.
      await using next = await startTestSandbox({
        flags: { database: third },
        dataFolder: join(folder, '3'),
      });
      const after = await newOwners();
      expect([after.includes(used), after.includes(left), after.length]).toEqual([true, false, 2]);
      expect((await running.control('POST', '/reset')).status).toBe(200);
      expect((await next.control('POST', '/reset')).status).toBe(200);
    } finally {
      for (const name of names) await dropDatabase(server, name);
      await rm(folder, { recursive: true });
    }
  },
);
