import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from './program.js';

/** A server that this process started. */
export interface ServerProcess {
  readonly url: string;
  /** Ends the server. Idempotent. */
  stop(): Promise<void>;
}

/** Thrown when a server does not start. The message ends with what it wrote to standard error. */
export class PipitNotStarted extends Error {
  override readonly name = 'PipitNotStarted';
}

const MAX_OUTPUT = 20_000;

/**
 * Runs `pipit serve` with these arguments on a free port and waits until it is ready. The server ends with this
 * process, also if that is killed: its end of the server's standard input goes with it. Throws PipitNotStarted when it ends first or takes longer than `timeoutMs`.
 */
export async function runServer(args: readonly string[], timeoutMs: number): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--port', '0', '--json', '--end-with-input', ...args],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const closed = once(child, 'close').then(() => void process.off('exit', kill));
  const stop = async (): Promise<void> => {
    // Otherwise this process could exit before the server has.
    holdExit(child, true);
    child.kill('SIGTERM');
    await closed;
  };
  try {
    const url = await readUrl(child, closed, timeoutMs);
    holdExit(child, false);
    return { url, stop };
  } catch (error) {
    kill();
    await closed;
    throw error;
  }
}

async function readUrl(child: ChildProcess, closed: Promise<void>, timeoutMs: number): Promise<string> {
  const output = { stdout: '', stderr: '' };
  const signal = AbortSignal.timeout(timeoutMs);
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr = (output.stderr + chunk.toString()).slice(-MAX_OUTPUT);
  });
  const ready = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output.stdout = (output.stdout + chunk.toString()).slice(-MAX_OUTPUT);
      const url = /"url":\s*"([^"]+)"/.exec(output.stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const late = once(signal, 'abort').then(() => 'late' as const);
  const first = await Promise.race([ready, closed.then(() => 'ended' as const), late]);
  if (first === 'ended') throw new PipitNotStarted(`pipit ended before it was ready:\n${output.stderr}`);
  if (first === 'late')
    throw new PipitNotStarted(`pipit was not ready after ${timeoutMs} ms:\n${output.stderr}`);
  return first;
}

/** Decides whether the server keeps this process from exiting. */
function holdExit(child: ChildProcess, isHeld: boolean): void {
  // At run time the streams are sockets, which their types do not say.
  const handles = [child, ...child.stdio] as unknown as readonly (Handle | null | undefined)[];
  for (const handle of handles) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

/** What keeps a process from exiting. */
interface Handle {
  ref(): void;
  unref(): void;
}
