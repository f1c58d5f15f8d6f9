import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'citus-dev.sh');

/** The servers of a cluster: the coordinator comes first. */
export const NODES = ['coordinator', 'worker1', 'worker2'] as const;
export type CitusNode = (typeof NODES)[number];

/** A coordinator and two workers on this machine, as scripts/citus-dev.sh starts them. */
export interface CitusCluster {
  /** The folder with the data folder of each server. */
  readonly folder: string;
  /** The URL of a database on one server. */
  url(node: CitusNode, database: string): string;
  /** Ends a server at once, like a power cut that keeps the disk cache. */
  crash(node: CitusNode): Promise<void>;
  /** Starts it again. */
  start(node: CitusNode): Promise<void>;
  /** Stops all servers and removes their data. */
  remove(): Promise<void>;
}

/** Reports whether Citus is installed for the PostgreSQL server of pg_config. */
export function findCitus(): boolean {
  try {
    const folder = execFileSync('pg_config', ['--sharedir'], { encoding: 'utf8' }).trim();
    return existsSync(join(folder, 'extension', 'citus.control'));
  } catch {
    return false;
  }
}

/** Starts a cluster with further settings of its servers, as `name=value`. */
export async function startCitus(settings: readonly string[] = []): Promise<CitusCluster> {
  const child = spawn(
    SCRIPT,
    settings.flatMap((setting) => ['--set', setting]),
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // An aborted run must leave no process behind.
  const kill = (): void => void child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let told = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Citus does not start: ${told}`)));
    child.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(-2_000)));
    child.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  const folder = /^data: (.+)$/m.exec(told)?.[1] ?? '';
  const ports = await Promise.all(NODES.map((node) => readFile(join(folder, node, 'port'), 'utf8')));
  return {
    folder,
    url: (node, database) => {
      const found = new URL(`/${database}`, url);
      found.port = (ports[NODES.indexOf(node)] ?? '').trim();
      return found.href;
    },
    crash: (node) => control(folder, node, ['stop', '-m', 'immediate']),
    start: (node) => control(folder, node, ['start', '-w', '-l', join(folder, `${node}.log`)]),
    remove: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Runs pg_ctl as the owner of the data, as the script does. */
async function control(folder: string, node: CitusNode, args: readonly string[]): Promise<void> {
  const data = join(folder, node);
  const { uid, gid } = await stat(data);
  const program = join(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim(), 'pg_ctl');
  const env = { ...process.env, LC_ALL: 'C', PGPASSFILE: join(folder, 'pgpass') };
  // A server keeps the output of the program that started it.
  const child = spawn(program, [...args, '-s', '-D', data], { stdio: 'ignore', cwd: data, uid, gid, env });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`pg_ctl ${args[0]} of ${node} ended with ${code}`);
}
