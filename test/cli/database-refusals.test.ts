import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { administer, createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';

const SERVE = ['serve', '--port', '0', '--log-level', 'silent'];

/** Expects serve and doctor to refuse a database with status 1 and one line that says what to do. */
async function expectRefusal(database: string, line: string): Promise<void> {
  await using folder = await temporaryFolder();
  const io = { env: { PIPIT_DATABASE: database }, folder: folder.path };
  const refused = { status: 1, stderr: `pipit: ${line}` };
  expect(await runCli(SERVE, io)).toMatchObject(refused);
  expect(await runCli(['doctor'], io)).toMatchObject(refused);
}

describe('an unusable database is reported with a remedy', () => {
  test('when its server does not listen', () =>
    expectRefusal(
      'postgres://pipit@127.0.0.1:1/pipit',
      'cannot reach the database server at 127.0.0.1:1: connection refused: start the server, or correct the URL of the database',
    ));

  test('when its file has other contents', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('letter.db'), 'Dear Dora, '.repeat(20));
    await expectRefusal(
      `sqlite:${folder.file('letter.db')}`,
      'file is not a database: correct the URL of the database, or restore a backup',
    );
  });

  test('when it belongs to another program', async () => {
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

  test('that does not exist, or with a wrong password, is reported with a remedy', async () => {
    await expectRefusal(
      databaseUrl(server, 'no_such_database'),
      `database "no_such_database" does not exist: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, or correct the URL of the database`,
    );
    await expectRefusal(
      withUser(server, 'pipit', 'wrong'),
      'password authentication failed for user "pipit": correct the URL of the database',
    );
  });

  test('in which the user cannot create tables is refused', async () => {
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const role = `weak_${randomBytes(6).toString('hex')}`;
    await administer(server, `CREATE ROLE ${role} LOGIN PASSWORD 'weak'`);
    const io = { env: { PIPIT_DATABASE: withUser(databaseUrl(server, name), role, 'weak') } };
    expect(await runCli(SERVE, io)).toMatchObject({
      status: 1,
      stderr:
        'pipit: permission denied for schema public: make this user the owner of the database, or grant it the privilege',
    });
  });

  test('on which no server has started needs no key file', async () => {
    await using folder = await temporaryFolder();
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const io = { env: { PIPIT_DATABASE: databaseUrl(server, name) }, folder: folder.path };
    const { findings } = JSON.parse((await runCli(['doctor', '--json'], io)).stdout);
    expect(findings).toContainEqual({
      level: 'ok',
      check: 'key file',
      message: 'created at the first start',
    });
  });
});
