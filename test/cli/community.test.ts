import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';
import { standardWorld } from '../support/world.js';

/** `pipit community ...` (docs/command-line.md). */

test('community create, join, leave and list', async () => {
  await using database = await createSharedDatabase();
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const pipit = async (...args: string[]) => {
    const outcome = await runCli([...args, '--json'], io);
    return { ...outcome, json: outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout) };
  };
  await writeFile(database.file('world.json'), JSON.stringify(standardWorld()));
  expect(await pipit('load', database.file('world.json'))).toMatchObject({ status: 0 });
  const created = await pipit('community', 'create', 'Herons', '--description', 'All about them');
  expect(created.json).toMatchObject({
    id: expect.stringMatching(/^[0-9]+$/),
    name: 'Herons',
    description: 'All about them',
    join_policy: 'Open',
    member_count: 0,
  });
  const { id } = created.json;
  expect((await pipit('community', 'join', id, 'alice')).json).toMatchObject({ member_count: 1 });
  expect((await pipit('community', 'join', id, '@alice')).json).toMatchObject({ member_count: 1 });
  expect((await pipit('community', 'join', id, 'bob')).json).toMatchObject({ member_count: 2 });
  expect((await pipit('community', 'leave', id, 'bob')).json).toMatchObject({ member_count: 1 });
  expect((await pipit('community', 'list')).json).toMatchObject([{ id, name: 'Herons', member_count: 1 }]);
  expect((await pipit('community', 'join', '12345', 'alice')).stderr).toContain(
    'there is no community 12345',
  );
  expect((await pipit('community', 'join', id, 'nobody')).status).toBe(1);
  expect((await pipit('community', 'create', 'x'.repeat(101))).status).toBe(2);
  expect((await pipit('community', 'join', 'abc', 'alice')).status).toBe(2);
});
