import { expect, test } from 'vitest';
import { worldDeps } from '../../src/server/backend.js';
import { makeFirstCredentials } from '../../src/server/first-start.js';
import { deactivateAccount } from '../../src/services/accounts/standing.js';
import { fileExists } from '../../src/database/private-file.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { listActiveOperators } from '../../src/stores/operators.js';
import { findUserByUsername } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';
import { openBrowser } from '../web/support/browser.js';

/** Runs a test on a database with bob, through the command line. */
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

/** Returns the status of bob’s sign-in to a server on the database, and then of the operator’s pages. */
async function visit(url: string, password: string): Promise<{ signIn: number; operatorPages: number }> {
  const app = await startTestApp({
    world: null,
    database: { url, dataFolder: undefined, remove: () => Promise.resolve() },
  });
  try {
    const browser = openBrowser(app);
    const { status: signIn } = await browser.signIn('bob', password);
    return { signIn, operatorPages: (await browser.get('/operator-desk')).status };
  } finally {
    await app.close();
  }
}

/** Deactivates bob’s account as its owner would. */
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

test('user password sets the given password, the one typed, or a generated one', () =>
  withBob(async (cli, url) => {
    expect((await cli('user', 'password', 'bob', '--password', 'the second of bob')).status).toBe(0);
    expect((await visit(url, 'the first of bob')).signIn).toBe(403);
    expect((await visit(url, 'the second of bob')).signIn).toBe(303);
    const generated = await cli('user', 'password', '@bob');
    expect(generated.stdout).toMatch(/^[A-Za-z0-9]{20}$/);
    expect((await visit(url, generated.stdout)).signIn).toBe(303);
  }));

test('user password refuses a short password, two ways at once, and unknown users', () =>
  withBob(async (cli) => {
    expect((await cli('user', 'password', 'bob', '--password', 'short')).status).toBe(2);
    expect((await cli('user', 'password', 'bob', '--password', 'long enough', '--link')).status).toBe(2);
    expect((await cli('user', 'password', 'nobody')).status).toBe(1);
  }));

test('user password --link prints a link to set a new password', () =>
  withBob(async (cli, url) => {
    const { stdout } = await cli('user', 'password', 'bob', '--link', '--base-url', 'https://pond.example/');
    expect(stdout).toMatch(/^https:\/\/pond\.example\/reset-password\?token=[\w-]{43}$/);
    expect((await visit(url, 'the first of bob')).signIn).toBe(303);
  }));

test('user subscribe gives an account a subscription and ends it', () =>
  withBob(async (cli) => {
    const shown = async () =>
      JSON.parse((await cli('user', 'show', 'bob', '--json')).stdout).subscription_type;
    expect(await shown()).toBeUndefined();
    const given = await cli('user', 'subscribe', 'bob', '--json');
    expect(JSON.parse(given.stdout)).toMatchObject({ username: 'bob', subscription_type: 'Premium' });
    expect((await cli('user', 'subscribe', '@bob', '--type', 'PremiumPlus')).stdout).toContain('PremiumPlus');
    expect(await shown()).toBe('PremiumPlus');
    await cli('user', 'subscribe', 'bob', '--lift');
    expect(await shown()).toBeUndefined();
    expect((await cli('user', 'subscribe', 'bob', '--type', 'Gold')).status).toBe(2);
  }));

test('user operator grants access to the operator’s pages and revokes it', () =>
  withBob(async (cli, url) => {
    expect((await visit(url, 'the first of bob')).operatorPages).toBe(403);
    const granted = await cli('user', 'operator', 'bob', '--json');
    expect(JSON.parse(granted.stdout)).toMatchObject({ username: 'bob', operator: true });
    expect((await visit(url, 'the first of bob')).operatorPages).toBe(200);
    await cli('user', 'operator', 'bob', '--lift');
    expect((await visit(url, 'the first of bob')).operatorPages).toBe(403);
  }));

test('user suspend --lift lifts suspensions only, not deactivation by the owner', () =>
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

test('the owner of the first start is an operator whose password is in the credentials', async () => {
  await using app = await startTestApp({ world: null });
  const { backend, writer } = app.pipit;
  const credentials = await makeFirstCredentials(worldDeps(backend, writer), undefined);
  const browser = openBrowser(app);
  expect((await browser.signIn('owner', credentials?.password ?? '')).status).toBe(303);
  expect((await browser.get('/operator-desk')).status).toBe(200);
});

test('of two first starts with a folder each, one leaves its credentials', async () => {
  await using app = await startTestApp({ world: null });
  await using folder = await temporaryFolder();
  const { backend, writer } = app.pipit;
  const files = [folder.file('one/credentials.json'), folder.file('two/credentials.json')];
  const made = await Promise.all(files.map((file) => makeFirstCredentials(worldDeps(backend, writer), file)));
  const kept = made.filter((credentials) => credentials !== undefined);
  expect(kept).toHaveLength(1);
  expect((await Promise.all(files.map(fileExists))).filter(Boolean)).toHaveLength(1);
  expect(await listActiveOperators(backend.engine)).toEqual([BigInt(kept[0]?.user_id ?? 0)]);
  expect(asNumber((await backend.engine.get(sql`SELECT count(*) AS n FROM operators`))?.n)).toBe(1);
});
