import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { administer, createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';

const SERVE = ['serve', '--port', '0', '--log-level', 'silent'];

/** What serve and doctor say of a database that they cannot use: one line that tells what to do, and status 1. */
async function expectRefusal(database: string, line: string): Promise<void> {
  await using folder = await temporaryFolder();
  const io = { env: { PIPIT_DATABASE: database }, folder: folder.path };
  const refused = { status: 1, stderr: `pipit: ${line}` };
  expect(await runCli(SERVE, io)).toMatchObject(refused);
  expect(await runCli(['doctor'], io)).toMatchObject(refused);
}

describe('a database that cannot be used is told of, with what to do', () => {
  test('on a server that is not there', () =>
    expectRefusal(
      'postgres://pipit@127.0.0.1:1/pipit',
      'cannot reach the database server at 127.0.0.1:1: nothing listens there: start it, or correct the URL of the database',
    ));

  test('in a file that holds something else', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('letter.db'), 'Dear Dora, '.repeat(20));
    await expectRefusal(
      `sqlite:${folder.file('letter.db')}`,
      'file is not a database: correct the URL of the database, or restore a backup',
    );
  });

  test('of another program', async () => {
    await using folder = await temporaryFolder();
    new Database(folder.file('other.db')).exec('CREATE TABLE letters (text TEXT)').close();
    const io = { env: { PIPIT_DATABASE: `sqlite:${folder.file('other.db')}` } };
    const line = 'the database belongs to another program: use a separate database for Pipit';
    expect(await runCli(SERVE, io)).toMatchObject({ status: 1, stderr: `pipit: ${line}` });
    expect(await runCli(['doctor'], io)).toMatchObject({ status: 1, stderr: `pipit: schema: ${line}` });
  });
});

describe.runIf(inject('postgres'))('a PostgreSQL database', () => {
  const server = inject('postgres')?.server ?? '';
  const withUser = (url: string, name: string, password: string): string =>
    Object.assign(new URL(url), { username: name, password }).href;

  test('that is not there, or for which the password is wrong, is told of with what to do', async () => {
    await expectRefusal(
      databaseUrl(server, 'no_such_database'),
      `database "no_such_database" does not exist: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, or correct the URL of the database`,
    );
    await expectRefusal(
      withUser(server, 'pipit', 'wrong'),
      'password authentication failed for user "pipit": correct the URL of the database',
    );
  });

  test('in which the user may make no tables is not served', async () => {
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const role = `weak_${randomBytes(6).toString('hex')}`;
    await administer(server, `CREATE ROLE ${role} LOGIN PASSWORD 'weak'`);
    const io = { env: { PIPIT_DATABASE: withUser(databaseUrl(server, name), role, 'weak') } };
    expect(await runCli(SERVE, io)).toMatchObject({
      status: 1,
      stderr:
        'pipit: permission denied for schema public: make this user the owner of the database, or give it the right',
    });
  });

  test('on which no server has started has no key file yet, which is no problem', async () => {
    await using folder = await temporaryFolder();
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const io = { env: { PIPIT_DATABASE: databaseUrl(server, name) }, folder: folder.path };
    const { findings } = JSON.parse((await runCli(['doctor', '--json'], io)).stdout);
    expect(findings).toContainEqual({ level: 'ok', check: 'key file', message: 'the first start makes it' });
  });
});
