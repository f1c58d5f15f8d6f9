import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { changeOwner, postgresUser } from './postgres-programs.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const READY = 'process up';

/** A PgBouncer on a free port of 127.0.0.1, in session mode. */
export interface PgBouncer {
  /** The URL of the database `postgres` behind it. */
  readonly url: string;
  remove(): Promise<void>;
}

/** Reports whether Debian's PgBouncer is installed. */
export function findPgBouncer(): boolean {
  try {
    execFileSync(PROGRAM, ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Starts it in front of a server; `url` is that of a database with its administrator. */
export async function startPgBouncer(url: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'pipit-pgbouncer-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = session',
    'max_client_conn = 1000',
    'default_pool_size = 100',
  ];
  await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`);
  await writeFile(join(folder, 'pgbouncer.ini'), settings.join('\n'));
  const user = postgresUser();
  changeOwner(user, folder);
  const child = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // An aborted run must leave no process behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer does not start: ${output}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
      if (output.includes(READY)) resolve();
    });
  });
  const front = Object.assign(new URL(url), { port: String(port) });
  return {
    url: front.href,
    remove: async () => {
      child.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
