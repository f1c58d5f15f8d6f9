import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROGRAM } from './program.js';

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface RunOutcome {
  /** The exit status of the program. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with its requests to X's hosts arriving at the server with this URL. */
export async function runLed(
  url: string,
  command: readonly [string, ...string[]],
  { cwd, env, signal }: RunOptions = {},
): Promise<RunOutcome> {
  // Otherwise the certificate authority would stay in the folder of the tests.
  const authority = await mkdtemp(join(tmpdir(), 'pipit-lead-'));
  try {
    const args = [PROGRAM, 'lead', '--url', url, '--authority', authority, '--', ...command];
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      signal,
      killSignal: 'SIGTERM',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { status: status ?? 1, stdout, stderr };
  } finally {
    await rm(authority, { recursive: true, force: true });
  }
}
