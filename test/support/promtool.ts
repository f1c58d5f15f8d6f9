import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Whether `promtool` is installed (Debian: prometheus). */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Runs promtool with an input. Returns its exit status and everything that it wrote. */
export async function promtool(args: readonly string[], input = '') {
  const child = spawn('promtool', args, { stdio: 'pipe' });
  child.stdin.end(input);
  const closed = once(child, 'close');
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const [status] = (await closed) as [number | null];
  return { status, output };
}
