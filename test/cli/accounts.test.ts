import { expect, test } from 'vitest';
import { worldDeps } from '../../src/server/backend.js';
import { makeFirstCredentials } from '../../src/server/first-start.js';
import { deactivateAccount } from '../../src/services/accounts/deactivate.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';
import { openBrowser } from '../web/support/browser.js';

/** A database with bob, and the command line on it. */
async function withBob(
  work: (cli: (...args: string[]) => ReturnType<typeof runCli>, url: string) => Promise<void>,
) {
  await using folder = await temporaryFolder();
  const url = `sqlite:${folder.file('pipit.db')}`;
  await createDatabase(folder.file('pipit.db'));
  const cli = (...args: string[]) => runCli([...args, '--database', url], { folder: folder.path });
  expect((await cli('user', 'create', 'bob', '--password', 'the first of bob')).status).toBe(0);
  await work(cli, url);
}

/** Whether somebody can sign in to a server on the database, and what the operator's pages answer then. */
async function visit(url: string, password: string): Promise<{ signIn: number; desk: number }> {
  const app = await startTestApp({
    world: null,
    database: { url, dataFolder: undefined, remove: () => Promise.resolve() },
  });
  try {
    const browser = openBrowser(app);
    const { status: signIn } = await browser.signIn('bob', password);
    return { signIn, desk: (await browser.get('/operator-desk')).status };
  } finally {
    await app.close();
  }
}

/** Deactivates bob's account as its owner does. */
async function deactivate(url: string): Promise<void> {
  const app = await startTestApp({
    world: null,
    database: { url, dataFolder: undefined, remove: () => Promise.resolve() },
  });
  try {
    const bob = await findUserByUsername(app.pipit.backend.engine, 'bob');
    if (bob) await deactivateAccount(app.pipit.backend, bob.id);
  } finally {
    await app.close();
  }
}

test('user password gives the password that was named, asked for, or made', () =>
  withBob(async (cli, url) => {
    expect((await cli('user', 'password', 'bob', '--password', 'the second of bob')).status).toBe(0);
    expect((await visit(url, 'the first of bob')).signIn).toBe(403);
    expect((await visit(url, 'the second of bob')).signIn).toBe(303);
    const made = await cli('user', 'password', '@bob');
    expect(made.stdout).toMatch(/^[A-Za-z0-9]{20}$/);
    expect((await visit(url, made.stdout)).signIn).toBe(303);
  }));

test('user password refuses a short one, two requestedScopes at once, and users that there are not', () =>
  withBob(async (cli) => {
    expect((await cli('user', 'password', 'bob', '--password', 'short')).status).toBe(2);
    expect((await cli('user', 'password', 'bob', '--password', 'long enough', '--link')).status).toBe(2);
    expect((await cli('user', 'password', 'nobody')).status).toBe(1);
  }));

test('user password --link prints a link to a new password', () =>
  withBob(async (cli, url) => {
    const { stdout } = await cli('user', 'password', 'bob', '--link', '--base-url', 'https://pond.example/');
    expect(stdout).toMatch(/^https:\/\/pond\.example\/reset-password\?token=[\w-]{43}$/);
    expect((await visit(url, 'the first of bob')).signIn).toBe(303);
  }));

test('user operator opens the operator’s pages, and closes them again', () =>
  withBob(async (cli, url) => {
    expect((await visit(url, 'the first of bob')).desk).toBe(403);
    const appointed = await cli('user', 'operator', 'bob', '--json');
    expect(JSON.parse(appointed.stdout)).toMatchObject({ username: 'bob', operator: true });
    expect((await visit(url, 'the first of bob')).desk).toBe(200);
    await cli('user', 'operator', 'bob', '--lift');
    expect((await visit(url, 'the first of bob')).desk).toBe(403);
  }));

test('user suspend --lift ends suspensions alone: what its owner deactivated stays so', () =>
  withBob(async (cli, url) => {
    const stateAfter = async (...args: string[]) => {
      const { status, stdout } = await cli('user', 'suspend', 'bob', '--json', ...args);
      return status === 0 ? (JSON.parse(stdout) as { suspended: boolean }).suspended : status;
    };
    expect([await stateAfter(), await stateAfter('--lift'), await stateAfter('--lift')]).toEqual([
      true,
      false,
      false,
    ]);
    await deactivate(url);
    const refused = await cli('user', 'suspend', 'bob', '--lift');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('its owner deactivated it'),
    ]);
    expect([await stateAfter(), await stateAfter('--lift')]).toEqual([true, true]);
    expect((await cli('user', 'suspend', 'bob', '--lift')).status).toBe(1);
  }));

test('the owner of the first start is an operator and signs in with the password of the credentials', async () => {
  await using app = await startTestApp({ world: null });
  const { backend, writer } = app.pipit;
  const credentials = await makeFirstCredentials(worldDeps(backend, writer), undefined);
  const browser = openBrowser(app);
  expect((await browser.signIn('owner', credentials?.password ?? '')).status).toBe(303);
  expect((await browser.get('/operator-desk')).status).toBe(200);
});
