import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type ServerProcess } from '../test/wire/support/server-process.js';
import { benchWorld } from './world.js';

/** The built program. */
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'cli.js');

/** Fills a database with generated posts; returns its URL and the duration. The server then runs in `folder`. */
export async function seedDatabase(
  folder: string,
  posts: number,
  url = `sqlite:${join(folder, 'pipit.db')}`,
): Promise<{ url: string; seconds: number }> {
  const world = join(folder, 'world.json');
  await writeFile(world, JSON.stringify(benchWorld(posts)));
  const startMs = performance.now();
  await loadWorldDocument(folder, world, url);
  return { url, seconds: (performance.now() - startMs) / 1000 };
}

/** Loads a world file as an operator would. */
export async function loadWorldDocument(folder: string, file: string, url: string): Promise<void> {
  await runPipit(folder, ['load', file, '--database', url]);
}

/** Runs a command of the built program. Throws if it fails. */
export async function runPipit(folder: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: folder });
}

/** Runs a built server without rate limits; `flags` are additional options of `serve`. */
export function startBenchServer(
  database: string,
  nodeOptions: readonly string[] = [],
  folder?: string,
  flags: readonly string[] = [],
  program = PROGRAM,
): Promise<ServerProcess> {
  const args = ['--database', database, '--rate-limits', 'off', '--post-cap', 'off', ...flags];
  return startServer({ args, program: [...nodeOptions, program], folder });
}
