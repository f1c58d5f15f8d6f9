import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  findPrograms,
  changeOwner,
  postgresUser,
  accessiblePrograms,
  type PostgresPrograms,
  type PostgresUser,
} from './postgres-programs.js';

/** The data folder and programs of a server. */
export interface PostgresCluster {
  readonly programs: PostgresPrograms;
  readonly user: PostgresUser;
  readonly data: string;
}

export interface PostgresProcess {
  /** Stops the server: fast with SIGINT, which aborts statements; at once with SIGQUIT, which requires recovery. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

/** Messages must be in English, since they are parsed. */
const ENVIRONMENT = { ...process.env, LC_ALL: 'C' };
const READY = 'database system is ready to accept connections';

/** Creates the data folder of a server with an administrator; by default of npm's. */
export async function createCluster(
  folder: string,
  admin: { readonly name: string; readonly password: string },
  found?: PostgresPrograms,
): Promise<PostgresCluster> {
  const user = postgresUser();
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  await writeFile(passwordFile, admin.password);
  await mkdir(data, { mode: 0o700 });
  changeOwner(user, folder);
  const programs = accessiblePrograms(found ?? (await findPrograms()), user, folder);
  await promisify(execFile)(
    programs.initdb,
    [
      `--pgdata=${data}`,
      `--username=${admin.name}`,
      `--pwfile=${passwordFile}`,
      '--auth=password',
      // Each connection derives the key of the password, which would cost two milliseconds. Debian's initdb is older.
      ...(found ? [] : ['--set=scram_iterations=1']),
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...user, cwd: folder, env: ENVIRONMENT },
  );
  return { programs, user, data };
}

/** Resolves when the server accepts connections. Throws with its last output if it ends first. */
export async function runCluster(
  { programs, user, data }: PostgresCluster,
  flags: readonly string[],
): Promise<PostgresProcess> {
  const child = spawn(programs.postgres, ['-D', data, ...flags], {
    ...user,
    cwd: data,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // An aborted run must leave no process behind.
  const kill = (): void => void child.kill('SIGQUIT');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    const onEnd = (): void => reject(new Error(`PostgreSQL does not start: ${output}`));
    child.once('error', reject).once('exit', onEnd);
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
      if (output.includes(READY)) resolve();
    });
  });
  return {
    end: async (signal) => {
      child.kill(signal);
      await exit;
    },
  };
}
