import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PROGRAM } from '../../support/program.js';

/** A server in its own process, as an operator runs it. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Returns the log so far, for messages of failing tests. */
  log(): string;
  /** Sends each signal once and waits for the end; returns the exit code, null after a signal. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export interface ServerCommand {
  /** Arguments of `serve`, except the port. */
  readonly args: readonly string[];
  /** Arguments of node, including its own options; by default PROGRAM. */
  readonly program?: readonly string[];
  /** The working folder; by default the current one. */
  readonly folder?: string;
}

const READY = /^pipit listening on (http:\/\/[^ ]+:(\d+))$/;
const READY_LIMIT_MS = 60_000;
const LOG_LIMIT_CHARACTERS = 20_000;

/** Runs `pipit serve` on a free port of 127.0.0.1. Throws with its log if it ends before it is ready. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const { args, program = PROGRAM, folder } = command;
  const child = spawn(process.execPath, [...program, 'serve', '--port', '0', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = collectLog(child);
  const end = createEnd(child);
  try {
    const { url, port } = await readiness(child);
    return { url, port, pid: child.pid ?? 0, log, end };
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`the server did not start: ${String(error)}\n${log()}`, { cause: error });
  }
}

function collectLog(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-LOG_LIMIT_CHARACTERS);
  });
  return () => text;
}

async function readiness(child: ChildProcess): Promise<{ url: string; port: number }> {
  const { stdout } = child;
  if (!stdout) throw new Error('no standard output');
  const [line] = (await once(createInterface({ input: stdout }), 'line', {
    signal: AbortSignal.any([AbortSignal.timeout(READY_LIMIT_MS), endOf(child)]),
  })) as [string];
  const match = READY.exec(line);
  if (!match) throw new Error(`its first line is "${line}"`);
  return { url: String(match[1]), port: Number(match[2]) };
}

function endOf(child: ChildProcess): AbortSignal {
  const ended = new AbortController();
  child.once('close', (code) => ended.abort(new Error(`it ended with ${code}`)));
  child.once('error', (error) => ended.abort(error));
  return ended.signal;
}

/** Sends SIGTERM at most once: a second one would abort the graceful shutdown. */
function createEnd(child: ChildProcess): ServerProcess['end'] {
  const sent = new Set<NodeJS.Signals>();
  const exit = once(child, 'exit');
  exit.catch(() => undefined);
  return async (signal) => {
    if (!sent.has(signal)) child.kill(signal);
    sent.add(signal);
    if (child.pid !== undefined) await exit;
    return child.exitCode;
  };
}
