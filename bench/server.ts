import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type ServerProcess } from '../test/wire/support/server-process.js';
import { ask } from './connection.js';
import type { RequestPlan } from './requests.js';
import { benchWorld } from './world.js';

const PROGRAM = 'dist/cli.js';

/** Fills a database with made-up posts; resolves to its URL and how long that took. */
export async function seedDatabase(folder: string, posts: number): Promise<{ url: string; seconds: number }> {
  const world = join(folder, 'world.json');
  const url = `sqlite:${join(folder, 'pipit.db')}`;
  await writeFile(world, JSON.stringify(benchWorld(posts)));
  const startMs = performance.now();
  await promisify(execFile)(process.execPath, [PROGRAM, 'load', world, '--database', url]);
  return { url, seconds: (performance.now() - startMs) / 1000 };
}

/** Runs the built server without rate limits. */
export function startBenchServer(
  database: string,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const args = ['--database', database, '--rate-limits', 'off', '--post-cap', 'off'];
  return startServer({ args, program: [...nodeOptions, PROGRAM] });
}

/** Milliseconds from starting the process to the first whole answer. */
export async function timeToFirstAnswer(database: string, plan: RequestPlan): Promise<number> {
  const startMs = performance.now();
  const server = await startBenchServer(database);
  try {
    if (plan.kind === 'same') await ask(server.port, plan.text);
    return performance.now() - startMs;
  } finally {
    await server.end('SIGTERM');
  }
}
