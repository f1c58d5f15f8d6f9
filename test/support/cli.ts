import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { CommandIo } from '../../src/commands/command.js';
import { run } from '../../src/commands/program.js';
import { PROGRAM } from './program.js';
import { emptyImage } from './test-database.js';

export interface CliOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, like cli.ts. */
export async function runCli(args: readonly string[], io: Partial<CommandIo> = {}): Promise<CliOutcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const status = await run(args, {
    env: {},
    stdin: Readable.from([]),
    isTerminal: false,
    pid: process.pid,
    program: [process.execPath],
    folder: process.cwd(),
    print: (line) => void stdout.push(line),
    note: (line) => void stderr.push(line),
    askSecret: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(undefined),
    // Servers stop as soon as they run; other commands are not interrupted.
    stopRequested: () => (args[0] === 'serve' ? Promise.resolve() : new Promise(() => undefined)),
    onRestartRequested: () => undefined,
    onSignal: () => undefined,
    onUncaughtError: () => undefined,
    limitHeapGrowth: () => undefined,
    ...io,
  });
  return { status, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** A server that `pipit serve` runs in this process. */
export interface LocalServer {
  readonly url: string;
  /** What it has printed to standard error, without its log. */
  readonly notes: readonly string[];
  /** Requests a stop; returns the exit status. */
  stop(): Promise<number>;
}

/** Runs `pipit serve` in this process, with a silent log, in a folder for its database. */
export async function serveHere(folder: string, ...args: readonly string[]): Promise<LocalServer> {
  const notes: string[] = [];
  let stop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => (stop = resolve));
  let ended: Promise<CliOutcome> | undefined;
  const ready = new Promise<string>((resolve) => {
    const database = `sqlite:${join(folder, 'data', 'pipit.db')}`;
    ended = runCli(['serve', '--port', '0', '--log-level', 'silent', ...args], {
      folder,
      env: { PIPIT_DATABASE: database },
      print: resolve,
      note: (line) => void notes.push(line),
      stopRequested: () => stopRequested,
    });
  });
  const end = async (): Promise<number> => (await ended)?.status ?? 1;
  const line = await Promise.race([ready, end()]);
  if (typeof line === 'number') throw new Error(`the server ended: ${notes.join('\n')}`);
  return {
    url: line.replace('pipit listening on ', ''),
    notes,
    stop: () => {
      stop();
      return end();
    },
  };
}

/** Creates an empty database, which most commands require. Its first use creates its key. */
export async function createDatabase(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, await emptyImage(), { mode: 0o600, flag: 'wx' });
}

/** Creates a folder for one test. */
export async function temporaryFolder(): Promise<
  AsyncDisposable & { path: string; file(name: string): string }
> {
  const path = await mkdtemp(join(tmpdir(), 'pipit-test-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** A process of the real command line. */
export interface CliProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Returns the URL of the ready line. Throws if the process ends first. */
  ready(): Promise<string>;
  /** Returns the exit status, or null after a signal. */
  exit(): Promise<number | null>;
}

const ROOT = join(import.meta.dirname, '..', '..');

export function spawnCli(
  args: readonly string[],
  cwd = ROOT,
  env = process.env,
  program = PROGRAM,
): CliProcess {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const exited = once(child, 'close').then(([status]) => status as number | null);
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready: async () => {
      while (!output.stdout.includes('\n')) {
        await Promise.race([once(child.stdout, 'data'), exited]);
        if (child.exitCode !== null) throw new Error(`the server ended: ${output.stderr}`);
      }
      return output.stdout.replace('pipit listening on ', '').trim();
    },
    exit: () => exited,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
