import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { APP, standardWorld } from '../support/world.js';

test('irreversible commands prompt on a terminal and require --yes otherwise', async () => {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  await writeFile(folder.file('world.json'), JSON.stringify(standardWorld()));
  await runCli(['load', folder.file('world.json')], { env });
  const commands = [
    ['user', 'delete', 'bob'],
    ['user', 'scrub-places', 'carol'],
    ['app', 'keys', 'regenerate', APP.id],
    ['app', 'delete', APP.id],
  ];
  const state = async () => [
    await runCli(['user', 'list', '--json'], { env }),
    await runCli(['app', 'list', '--json'], { env }),
  ];
  const before = await state();
  for (const args of commands) {
    const name = args.join(' ');
    expect(await runCli(args, { env }), name).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^pipit: this would .*: add --yes to continue$/),
    });
    for (const answer of ['', 'n', 'no', 'bob']) {
      const asked: string[] = [];
      const ask = (question: string) => {
        asked.push(question);
        return Promise.resolve(answer);
      };
      expect(await runCli(args, { env, ask }), name).toEqual({
        status: 1,
        stdout: '',
        stderr: 'pipit: nothing was changed',
      });
      expect(asked).toEqual([expect.stringMatching(/^This will .*\. Continue\? \[y\/N\] $/)]);
    }
  }
  expect(await state()).toEqual(before);
  const ask = () => Promise.resolve('y');
  for (const args of commands) expect((await runCli(args, { env, ask })).status, args.join(' ')).toBe(0);
  expect(await runCli(['user', 'delete', 'nobody'], { env })).toMatchObject({
    status: 1,
    stderr: 'pipit: there is no user @nobody',
  });
});

test('passwords have the same rules on the command line, in world files and in the browser', async () => {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  await writeFile(folder.file('world.json'), JSON.stringify(standardWorld()));
  await runCli(['load', folder.file('world.json')], { env });
  for (const [password, reason] of [
    ['short', 'A password must have at least 10 characters.'],
    ['erin_the_long', 'This password is too easy to guess.'],
    ['aaaaaaaaaaaa', 'This password is too easy to guess.'],
    ['ab'.repeat(501), 'A password must have at most 1000 characters.'],
  ] as const) {
    const create = ['user', 'create', 'erin_the_long', '--password', password];
    const refused = { status: 2, stdout: '', stderr: `pipit: ${reason}` };
    expect(await runCli(create, { env })).toEqual(refused);
    const askSecret = () => Promise.resolve(password);
    expect(await runCli(create.slice(0, 3), { env, askSecret })).toEqual(refused);
    const user = { id: '77', username: 'erin_the_long', name: 'Erin', password };
    await writeFile(folder.file('erin.json'), JSON.stringify({ users: [user] }));
    const loaded = await runCli(['load', folder.file('erin.json')], { env });
    expect(loaded.stderr).toContain(`$.users[0].password: ${reason}`);
    expect(loaded.stderr).not.toContain(password);
  }
  expect((await runCli(['user', 'password', 'bob', '--password', 'short'], { env })).stderr).toBe(
    'pipit: A password must have at least 10 characters.',
  );
});
