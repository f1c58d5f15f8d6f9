import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { shellWord } from '../core/shell-word.js';
import { PID_VARIABLE } from '../lead/environment.js';
import { CommandRefused, type CommandIo } from './command.js';

/** How `--print-env` writes variables: for shells, or for the file of `$GITHUB_ENV`. */
export const FORMATS = ['shell', 'github'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Starts `pipit lead --hold` with the same options in the background, and prints the variables that lead programs there.
 * Throws CommandRefused if it ends before.
 */
export async function printEnvironment(
  io: CommandIo,
  options: readonly string[],
  format: Format,
): Promise<void> {
  const [file, ...args] = io.program;
  const child = spawn(file, [...args, 'lead', ...options, '--hold'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: io.env,
  });
  // Otherwise an interrupted start would go on in the background, and nobody would know its process.
  io.onSignal(() => child.kill());
  const complaint: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => void complaint.push(chunk));
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'close')]);
  if (typeof line[0] !== 'string') {
    throw new CommandRefused(
      Buffer.concat(complaint)
        .toString()
        .trim()
        .replace(/^pipit: /, '') || 'nothing could be led',
      line[0] === 2 ? 2 : 1,
    );
  }
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  // From now on it is known, and goes on without this process.
  child.stdin.end('known\n');
  child.unref();
  const variables = JSON.parse(line[0]) as Record<string, string>;
  for (const [name, value] of Object.entries(variables)) io.print(formatted(format, name, value));
}

/**
 * Prints the variables for `printEnvironment` and leads until a stop request; not at all if that process ends before it
 * has them.
 */
export async function hold(io: CommandIo, variables: Readonly<Record<string, string>>): Promise<void> {
  const stopRequested = io.stopRequested();
  io.print(JSON.stringify({ ...variables, [PID_VARIABLE]: String(io.pid) }));
  const isKnown = await Promise.race([hasLine(io.stdin), stopRequested]);
  if (isKnown) await stopRequested;
}

/** Resolves to true when a line comes, to false if the input ends without. */
async function hasLine(input: AsyncIterable<unknown>): Promise<boolean> {
  for await (const chunk of input) if (String(chunk).includes('\n')) return true;
  return false;
}

function formatted(format: Format, name: string, value: string): string {
  return format === 'github' ? `${name}=${value}` : `export ${name}=${shellWord(value)}`;
}
