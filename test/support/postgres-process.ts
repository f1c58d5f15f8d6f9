import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  findPrograms,
  giveTo,
  postgresUser,
  reachablePrograms,
  type PostgresPrograms,
  type PostgresUser,
} from './postgres-programs.js';

/** The data of a server, and how it is run. */
export interface PostgresCluster {
  readonly programs: PostgresPrograms;
  readonly user: PostgresUser;
  readonly data: string;
}

export interface PostgresProcess {
  /** Ends it: fast with SIGINT, which cuts statements off; at once with SIGQUIT, so that it must recover. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

/** Messages are looked at: they must be in English. */
const ENVIRONMENT = { ...process.env, LC_ALL: 'C' };
const READY = 'database system is ready to accept connections';

/** Makes the data of a server in `folder`, whose administrator has this name and password. */
export async function createCluster(
  folder: string,
  admin: { readonly name: string; readonly password: string },
): Promise<PostgresCluster> {
  const user = postgresUser();
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  await writeFile(passwordFile, admin.password);
  await mkdir(data, { mode: 0o700 });
  giveTo(user, folder);
  const programs = reachablePrograms(await findPrograms(), user, folder);
  await promisify(execFile)(
    programs.initdb,
    [
      `--pgdata=${data}`,
      `--username=${admin.name}`,
      `--pwfile=${passwordFile}`,
      '--auth=password',
      // Each connection proves the password anew, which would cost two milliseconds.
      '--set=scram_iterations=1',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...user, cwd: folder, env: ENVIRONMENT },
  );
  return { programs, user, data };
}

/** Resolves when the server takes connections. Throws, with what it said last, when it ends before. */
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
  // A run that is broken off leaves nothing running.
  const endToo = (): void => void child.kill('SIGQUIT');
  process.once('exit', endToo);
  child.once('exit', () => process.off('exit', endToo));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const onEnd = (): void => reject(new Error(`PostgreSQL does not start: ${said}`));
    child.once('error', reject).once('exit', onEnd);
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2_000);
      if (said.includes(READY)) resolve();
    });
  });
  return {
    end: async (signal) => {
      child.kill(signal);
      await exit;
    },
  };
}
