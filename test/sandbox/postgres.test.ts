import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
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
