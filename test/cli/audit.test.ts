import { expect, test } from 'vitest';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

test('what the command line does is in the audit log, without secrets, and pipit audit filters it', async () => {
  await using folder = await temporaryFolder();
  await createDatabase(folder.file('pipit.db'));
  const cli = async (...args: string[]) => {
    const database = `sqlite:${folder.file('pipit.db')}`;
    return runCli([...args, '--database', database], { folder: folder.path });
  };
  const done = async (...args: string[]): Promise<string> => {
    const outcome = await cli(...args);
    expect([args, outcome.status, outcome.stderr]).toEqual([args, 0, '']);
    return outcome.stdout;
  };
  await done('user', 'create', 'bob', '--password', 'the first of bob');
  await done('user', 'operator', 'bob');
  await done('user', 'operator', 'bob', '--lift');
  await done('user', 'suspend', 'bob', '--reason', 'Spam\nand more');
  await done('user', 'suspend', 'bob', '--lift');
  await done('user', 'protect', 'bob');
  await done('user', 'subscribe', 'bob');
  const password = await done('user', 'password', 'bob');
  const link = await done('user', 'password', 'bob', '--link', '--base-url', 'http://pipit.test');
  const app = JSON.parse(await done('app', 'create', 'Birds', '--owner', 'bob', '--json')) as { id: string };
  await done('app', 'update', app.id, '--track', 'academic_research');
  await done('app', 'keys', 'regenerate', app.id, '--yes');
  const issued = JSON.parse(
    await done('token', 'create', '--app', app.id, '--user', 'bob', '--kind', 'oauth2', '--json'),
  ) as { access_token: string };
  await done('token', 'revoke', issued.access_token);
  await done('app', 'delete', app.id, '--yes');
  await done('user', 'delete', 'bob', '--yes');

  const entries = JSON.parse(await done('audit', '--json')) as Record<string, unknown>[];
  expect(entries.map(({ action }) => action).reverse()).toEqual([
    'user.create',
    'user.appoint',
    'user.dismiss',
    'user.suspend',
    'user.restore',
    'user.protect',
    'user.subscribe',
    'user.password',
    'user.password_link',
    'app.create',
    'app.update',
    'app.regenerate_keys',
    'token.create',
    'token.revoke',
    'app.delete',
    'user.delete',
  ]);
  expect(entries.find(({ action }) => action === 'user.suspend')).toMatchObject({
    target: { kind: 'user', name: '@bob' },
    reason: 'Spam\nand more',
  });
  expect(entries[0]).not.toHaveProperty('operator');
  const text = await done('audit');
  for (const secret of [password, link.split('token=')[1] ?? '', issued.access_token])
    expect(text).not.toContain(secret);
  expect(text.split('\n')).toHaveLength(16);
  expect(await done('audit', '--action', 'app.update')).toMatch(
    /^\S+Z {2}command line {2}app\.update {2}Birds {2}track: standard → academic_research$/,
  );
  expect(await done('audit', '--action', 'user.suspend')).toContain('Spam and more');
  expect(await done('audit', '--until', '2020-01-01')).toBe('');
  expect((await cli('audit', '--by', 'nobody')).stderr).toContain('There is no user nobody.');
  expect((await cli('audit', '--from', 'today')).status).toBe(2);
  expect((await cli('audit', '--action', 'nothing')).status).toBe(2);
});
