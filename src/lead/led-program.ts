import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { endWithThisProcess } from './guard-process.js';

/** The signals that a led program receives in place of `pipit lead`. */
export const PASSED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type PassedSignal = (typeof PASSED_SIGNALS)[number];

export interface ProgramOptions {
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Calls the listener with each signal. */
  readonly onSignal: (listener: (signal: PassedSignal) => void) => void;
  /** True if the terminal sends an interrupt to the program too. */
  readonly isTerminal: boolean;
}

/** The statuses with which a shell ends for a command that it cannot run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** What a shell adds to the number of the signal that ended a program. */
const SIGNALLED = 128;

/** A program that could not be started. */
export interface NotStarted {
  readonly status: number;
  readonly reason: string;
}

/**
 * Runs a program with the standard input and output of this process, and passes signals on. Resolves to its status:
 * 128 and the signal's number if a signal ended it.
 */
export function runProgram({
  command,
  env,
  onSignal,
  isTerminal,
}: ProgramOptions): Promise<number | NotStarted> {
  const [name, ...args] = command;
  const child = spawn(name, args, { env, stdio: 'inherit' });
  endWithThisProcess(child);
  onSignal((signal) => {
    if (signal !== 'SIGINT' || !isTerminal) child.kill(signal);
  });
  return new Promise((resolve) => {
    child.once('exit', (status, signal) =>
      resolve(signal === null ? (status ?? 1) : SIGNALLED + constants.signals[signal]),
    );
    child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(name, error)));
  });
}

/** Starts a program whose output does not matter. `end` stops it and waits for its end. */
export function startBeside(
  [name, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): { readonly end: () => Promise<void> } {
  const child = spawn(name, args, { env, stdio: 'ignore' });
  endWithThisProcess(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    end: async () => {
      child.kill();
      await ended;
    },
  };
}

function notStarted(name: string, { code, message }: NodeJS.ErrnoException): NotStarted {
  if (code === 'ENOENT') return { status: NOT_FOUND, reason: `there is no command ${name}` };
  const reason = code === 'EACCES' ? 'permission denied' : message;
  return { status: NOT_EXECUTABLE, reason: `cannot run ${name}: ${reason}` };
}
