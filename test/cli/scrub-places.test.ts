import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';

/** More than one transaction processes. */
const POSTS = 450;

test('user scrub-places removes the place from all posts of an account, once', async () => {
  await using database = await createSharedDatabase();
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const pipit = async (...args: string[]) => {
    const { stdout } = await runCli([...args, '--json'], io);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const world = {
    users: [{ id: '1', username: 'dave', name: 'Dave' }],
    places: [
      {
        id: 'abc',
        full_name: 'Harbour, Island',
        name: 'Harbour',
        country: 'Island',
        country_code: 'IS',
        place_type: 'city',
        bbox: [-1, 50, 1, 51],
      },
    ],
    posts: Array.from({ length: POSTS }, (_, n) => ({
      id: String(n + 100),
      author: 'dave',
      text: `Number ${n}`,
      ...(n % 2 === 0 ? { place: 'abc' } : {}),
    })),
  };
  await writeFile(database.file('world.json'), JSON.stringify(world));
  await pipit('load', database.file('world.json'));
  const scrubbed = { id: '1', username: 'dave', scrubbed_posts: POSTS / 2 };
  expect(await pipit('user', 'scrub-places', 'dave', '--yes')).toEqual(scrubbed);
  expect(await pipit('user', 'scrub-places', 'dave', '--yes')).toEqual({ ...scrubbed, scrubbed_posts: 0 });
});
