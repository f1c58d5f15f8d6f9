import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { PASSED_SIGNALS, type PassedSignal } from '../lead/led-program.js';
import type { CommandIo } from './command.js';
import { openTerminalScreen } from './terminal-screen.js';

type StopSignal = 'SIGINT' | 'SIGTERM';
type UncaughtEvent = 'uncaughtException' | 'unhandledRejection';

/** The part of `process` that commands use, so that only cli.ts refers to `process`. */
export interface ProcessLike {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly pid: number;
  readonly execPath: string;
  readonly execArgv: readonly string[];
  readonly argv: readonly string[];
  cwd(): string;
  once(signal: StopSignal, listener: () => void): unknown;
  on(signal: PassedSignal, listener: () => void): unknown;
  on(event: UncaughtEvent, listener: (error: unknown) => void): unknown;
  exit(status: number): never;
}

/** Creates the process environment of commands. */
export function createProcessIo(self: ProcessLike): CommandIo {
  const { stdin, stdout, stderr } = self;
  // The reader of the output may close it early (`pipit user list | head`), which is not a failure.
  stdout.on('error', () => undefined);
  stderr.on('error', () => undefined);
  return {
    env: self.env,
    stdin,
    isTerminal: stdin.isTTY && stderr.isTTY,
    pid: self.pid,
    program: [self.execPath, ...self.execArgv, ...self.argv.slice(1, 2)],
    folder: self.cwd(),
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    ...(stderr.isTTY && { showStatus: (line: string) => showStatus(stderr, line) }),
    ...(stdin.isTTY && stdout.isTTY && { openScreen: () => openTerminalScreen(self) }),
    askSecret: (question) =>
      stdin.isTTY && stderr.isTTY ? askSecret(self, question) : Promise.resolve(undefined),
    ask: (question) => (stdin.isTTY && stderr.isTTY ? ask(self, question) : Promise.resolve(undefined)),
    stopRequested: () => stopRequested(self),
    onRestartRequested: (listener) => void self.on('SIGHUP', listener),
    onSignal: (listener) => {
      for (const signal of PASSED_SIGNALS) self.on(signal, () => listener(signal));
    },
    onUncaughtError: (listener) => {
      self.on('uncaughtException', listener);
      self.on('unhandledRejection', listener);
    },
    limitHeapGrowth: (percent) => setFlagsFromString(`--heap-growing-percent=${percent}`),
  };
}

/** Truncates the line, since a wrapped line could not be removed. */
function showStatus(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`\r\u001b[K${line.slice(0, Math.max(0, (stream.columns || 80) - 1))}`);
}

/** Resolves at the first signal. A second one exits immediately. */
function stopRequested(self: ProcessLike): Promise<void> {
  return new Promise((resolve) => {
    const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];
    let count = 0;
    const onSignal = (signal: StopSignal): void => {
      count += 1;
      if (count > 1) self.exit(1);
      self.once(signal, () => onSignal(signal));
      resolve();
    };
    for (const signal of signals) self.once(signal, () => onSignal(signal));
  });
}

/** Reads a line from the terminal; empty at the end of input. */
function ask({ stdin, stderr, exit }: ProcessLike, question: string): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, output: stderr });
    lines.once('SIGINT', () => exit(1));
    lines.once('close', () => resolve(''));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

const ENTER = ['\r', '\n'];
const INTERRUPT = '\u0003';
const END = '\u0004';
const ERASE = ['\u007f', '\b'];

/** Reads a line from the terminal without echo. */
function askSecret(self: ProcessLike, question: string): Promise<string> {
  const { stdin, stderr } = self;
  return new Promise((resolve) => {
    let typed: string[] = [];
    const finish = (): void => {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      resolve(typed.join(''));
    };
    const onData = (text: string): void => {
      for (const key of text) {
        if (key === INTERRUPT) {
          stdin.setRawMode(false);
          self.exit(1);
        }
        if (ENTER.includes(key) || key === END) return finish();
        if (ERASE.includes(key)) typed = typed.slice(0, -1);
        else typed.push(key);
      }
    };
    stderr.write(question);
    stdin.setRawMode(true);
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.resume();
  });
}
