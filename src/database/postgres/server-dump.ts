import pg from 'pg';
import { ProgramFailed } from '../errors.js';
import type { DatabaseSnapshot, DumpTarget } from '../server-dump.js';
import { connectionVariables, findProgram, runProgram } from './client-programs.js';
import { translated } from './driver-errors.js';
import { openPostgresRows, openPostgresSnapshot } from './stored-rows.js';

/** Compresses well enough, and much faster than the programs do by default. */
const COMPRESSION = 1;

/** What a schema is named under which replaced tables are kept. */
const ASIDE = 'before_restore';

interface Server {
  readonly version: string;
  readonly major: number;
  /** The schema of Pipit's tables. */
  readonly schema: string;
}

/**
 * Opens a snapshot of a database; `programs` is the folder of the programs, PATH if undefined. Rejects with
 * StorageUnavailable, and with ProgramFailed without a program for this server.
 */
export async function openServerSnapshot(url: string, programs?: string): Promise<DatabaseSnapshot> {
  const { version, major, schema } = await describeServer(url);
  const { file: program } = await findProgram('pg_dump', programs, major);
  const { rows, name } = await openPostgresSnapshot(url);
  const args = ['--format=custom', `--compress=${COMPRESSION}`, '--no-password', `--snapshot=${name}`];
  return {
    rows,
    engineVersion: version,
    dump: async (file, signal) => {
      const what = [`--schema=${patternOf(schema)}`, `--file=${file}`];
      await runProgram(program, [...args, ...what], { variables: connectionVariables(url), signal });
    },
    close: () => rows.close(),
  };
}

/** Opens the target of a restore. Rejects as `openServerSnapshot` does. */
export async function openDumpTarget(url: string, programs?: string): Promise<DumpTarget> {
  const { major, schema } = await describeServer(url);
  const { file: program } = await findProgram('pg_restore', programs, major);
  const rows = await openPostgresRows(url);
  const isEmpty = (await rows.tableNames()).length === 0;
  return {
    isEmpty,
    countUsers: () => rows.countUsers(),
    restore: async (file, signal) => {
      const keptAs = isEmpty ? undefined : await setAside(url, schema);
      try {
        await runProgram(program, [...RESTORE, `--schema=${schema}`, databaseArgument(url), file], {
          variables: connectionVariables(url),
          signal,
        });
      } catch (error) {
        if (keptAs !== undefined) await putBack(url, schema, keptAs);
        throw error;
      }
      if (await hasTables(url)) return keptAs;
      if (keptAs !== undefined) await putBack(url, schema, keptAs);
      throw new ProgramFailed(`the dump has no tables in the schema ${schema}, where this database has them`);
    },
    close: () => rows.close(),
  };
}

/** All or nothing; roles and grants are those of the target. */
const RESTORE = [
  '--single-transaction',
  '--exit-on-error',
  '--no-owner',
  '--no-privileges',
  '--no-password',
  '--format=custom',
];

/** Without the name of a database the program would print statements. It is no secret, unlike the rest of the URL. */
function databaseArgument(url: string): string {
  const name = connectionVariables(url)['PGDATABASE'] ?? '';
  return `--dbname=dbname='${name.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** Returns a pattern that only this schema matches. */
function patternOf(schema: string): string {
  return pg.escapeIdentifier(schema);
}

async function describeServer(url: string): Promise<Server> {
  const [row] = await run<{ version: string; number: string; schema: string | null }>(
    url,
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
      current_schema() AS schema`,
  );
  if (row?.schema === undefined || row.schema === null)
    throw new ProgramFailed('the database has no schema in which Pipit could have tables');
  return { version: row.version, major: Math.floor(Number(row.number) / 10_000), schema: row.schema };
}

async function hasTables(url: string): Promise<boolean> {
  return (await run(url, 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1')).length > 0;
}

/** Gives the schema with all tables another name, and creates an empty one. Returns the other name. */
async function setAside(url: string, schema: string): Promise<string> {
  const taken = new Set(
    (await run<{ name: string }>(url, 'SELECT nspname AS name FROM pg_namespace')).map(({ name }) => name),
  );
  let aside = ASIDE;
  for (let count = 2; taken.has(aside); count += 1) aside = `${ASIDE}_${count}`;
  const [own, other] = [schema, aside].map(pg.escapeIdentifier);
  await run(
    url,
    `BEGIN; ALTER SCHEMA ${own} RENAME TO ${other}; CREATE SCHEMA ${own}; GRANT USAGE ON SCHEMA ${own} TO PUBLIC; COMMIT`,
  );
  return aside;
}

async function putBack(url: string, schema: string, aside: string): Promise<void> {
  const [own, other] = [schema, aside].map(pg.escapeIdentifier);
  await run(url, `BEGIN; DROP SCHEMA ${own} CASCADE; ALTER SCHEMA ${other} RENAME TO ${own}; COMMIT`);
}

/** Runs statements over a connection of their own. */
async function run<R extends pg.QueryResultRow>(url: string, statements: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'pipit restore' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<R>(statements)).rows;
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
