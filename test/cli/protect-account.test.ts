import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';

/** `pipit user protect` (docs/api/people.md#follows-blocks-and-mutes). */

/** More than one transaction accepts. */
const PENDING = 203;

test('user protect protects an account; --lift unprotects it and accepts all pending requests', async () => {
  await using database = await createSharedDatabase();
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const pipit = async (...args: string[]) => {
    const { stdout } = await runCli([...args, '--json'], io);
    return JSON.parse(stdout);
  };
  const names = Array.from({ length: PENDING }, (_, n) => `user${n}`);
  const world = {
    users: [
      { id: '1', username: 'dave', name: 'Dave' },
      ...names.map((username, n) => ({ id: String(n + 2), username, name: username })),
    ],
  };
  await writeFile(database.file('world.json'), JSON.stringify(world));
  await pipit('load', database.file('world.json'));
  expect(await pipit('user', 'protect', 'dave')).toMatchObject({ username: 'dave', protected: true });

  const requests = { users: [], follows: names.map((from) => ({ from, to: 'dave', pending: true })) };
  await writeFile(database.file('requests.json'), JSON.stringify(requests));
  await pipit('load', database.file('requests.json'));
  const waiting = (await pipit('follow-request', 'list', 'dave')) as { from: string }[];
  expect(waiting.map(({ from }) => from)).toEqual(names);

  expect(await pipit('user', 'protect', 'dave', '--lift')).toMatchObject({ protected: false });
  expect(await pipit('follow-request', 'list', 'dave')).toEqual([]);
  const { public_metrics: counts } = await pipit('user', 'show', 'dave');
  expect(counts).toMatchObject({ followers_count: PENDING, following_count: 0 });
});
