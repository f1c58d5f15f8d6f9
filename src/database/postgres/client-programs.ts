import { spawn } from 'node:child_process';
import { env } from 'node:process';
import { join } from 'node:path';
import pg from 'pg';
import { ProgramFailed } from '../errors.js';

/** The programs of PostgreSQL that Pipit runs. */
export type ClientProgram = 'pg_dump' | 'pg_restore';

/** A program that was found, and the major version of PostgreSQL that it is from. */
interface FoundProgram {
  readonly file: string;
  readonly major: number;
}

/** The most text of a failed program's errors, at its end, that a message repeats. */
const MAX_MESSAGE = 500;

/** Parameters of a URL that the programs read from these variables, besides those that the driver knows. */
const VARIABLES: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
  options: 'PGOPTIONS',
};

/**
 * Returns a program of `folder`, or of PATH, that works with a server of version `major`. Throws ProgramFailed, which
 * says what to install.
 */
export async function findProgram(
  name: ClientProgram,
  folder: string | undefined,
  major: number,
): Promise<FoundProgram> {
  const file = folder === undefined ? name : join(folder, name);
  const text = await runProgram(file, ['--version'], {});
  const own = Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1]);
  if (Number.isNaN(own)) throw new ProgramFailed(`${file} is not the program of PostgreSQL`);
  if (own >= major) return { file, major: own };
  throw new ProgramFailed(
    `${file} is of version ${own}, which cannot copy a server of version ${major}: install the client programs of ` +
      `PostgreSQL ${major} or newer (on Debian postgresql-client-${major}), or name their folder by --postgres-programs`,
  );
}

/**
 * Runs a program to its end and returns what it printed. `variables` are added to the environment: other users can read
 * the arguments of a process, but not its environment. Throws ProgramFailed with the program's last message, and ends
 * the program when `signal` is aborted.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { variables = {}, signal }: { readonly variables?: Variables; readonly signal?: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      // Messages in English, as ours.
      env: { ...env, LC_ALL: 'C', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-MAX_MESSAGE * 2);
    });
    child.once('error', (cause) => {
      reject(signal?.aborted ? cause : notRun(file, cause));
    });
    child.once('close', (status, killedBy) => {
      if (status === 0) resolve(output);
      else reject(new ProgramFailed(`${file} failed: ${lastOf(errors) || (killedBy ?? `status ${status}`)}`));
    });
  });
}

type Variables = Readonly<Record<string, string>>;

function notRun(file: string, cause: Error): ProgramFailed {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  const message = isMissing
    ? `${file} is not installed: install the client programs of PostgreSQL (on Debian postgresql-client), or name ` +
      'their folder by --postgres-programs'
    : `${file} cannot be run: ${cause.message}`;
  return new ProgramFailed(message, { cause });
}

function lastOf(errors: string): string {
  return errors.trim().replaceAll(/\s+/g, ' ').slice(-MAX_MESSAGE);
}

/** Returns the variables by which the programs connect to the database of a URL. They may hold a password. */
export function connectionVariables(url: string): Variables {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  const given = Object.entries({
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGAPPNAME: 'pipit backup',
  }).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const parameters = [...new URL(url).searchParams].flatMap(([name, value]) => {
    const variable = VARIABLES[name];
    // The driver's own word for an encrypted connection without a known certificate.
    return variable === undefined ? [] : [[variable, value === 'no-verify' ? 'require' : value]];
  });
  return Object.fromEntries([...given, ...parameters]) as Variables;
}
