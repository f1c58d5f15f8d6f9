import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { isInMemory, readDatabase, type Environment } from '../server/config.js';
import { optionOf } from './setting-options.js';
import type { PassedSignal } from '../lead/led-program.js';
import type { TerminalScreen } from './terminal-screen.js';
import { NamedError } from '../core/named-error.js';

/** A command that was chosen by the command line. */
export interface RunningCommand {
  /** Its words, such as `pipit space create`. */
  readonly name: string;
  /** Its arguments, without options. */
  readonly args: readonly string[];
}

/** The process environment of commands. */
export interface CommandIo {
  /** The command that runs; absent before it is chosen. */
  readonly command?: RunningCommand;
  readonly env: Environment;
  readonly stdin: NodeJS.ReadableStream;
  readonly isTerminal: boolean;
  readonly pid: number;
  /** The file and the arguments that run Pipit. */
  readonly program: readonly [string, ...string[]];
  /** The working directory; paths are shown relative to it. */
  readonly folder: string;
  /** Writes a line of results to standard output. */
  print(line: string): void;
  /** Writes any other line to standard error. */
  note(line: string): void;
  /** Shows a status line that the next call replaces and '' removes; absent without a terminal. */
  readonly showStatus?: (line: string) => void;
  /** Takes over the terminal of standard input and output; absent without one. */
  readonly openScreen?: () => TerminalScreen;
  /** Asks for a secret without echo; undefined without a terminal. */
  askSecret(question: string): Promise<string | undefined>;
  /** Asks a question; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** Resolves when the process is asked to stop. */
  stopRequested(): Promise<void>;
  /** Calls `listener` on each restart request (SIGHUP), which would otherwise end the process. */
  onRestartRequested(listener: () => void): void;
  /** Calls `listener` with each signal, none of which ends the process any more. */
  onSignal(listener: (signal: PassedSignal) => void): void;
  /** Calls `listener` with each uncaught error, which would otherwise end the process. */
  onUncaughtError(listener: (error: unknown) => void): void;
  /**
   * Lets the heap grow by `percent` of its size before V8 collects garbage. Call it when the program is loaded: V8
   * rejects compiled code that was kept under other flags.
   */
  limitHeapGrowth(percent: number): void;
}

/** The options of all commands. */
export interface CommonOptions {
  readonly database?: string;
  readonly keyFile?: string;
  readonly json?: true;
}

/** The result of a command. */
export interface Result {
  /** Uses the key names of world files. */
  readonly json: unknown;
  readonly text: string;
}

/** A command cannot be executed; the message is one line for the user. */
export class CommandRefused extends NamedError {
  constructor(
    message: string,
    /** 1: failed; 2: wrong usage; 130: interrupted (128 and SIGINT's number). */
    readonly exitStatus: 1 | 2 | 130 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Adds the options of all commands. */
export function withCommonOptions(command: Command): Command {
  return command
    .addOption(optionOf('database'))
    .addOption(optionOf('keyFile'))
    .option('--json', 'print the result as JSON');
}

/** Creates an option with a fixed set of values. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

/** Returns the selected database, which must be persistent. Throws ConfigRefused or CommandRefused. */
export function readLastingDatabase(io: CommandIo, options: CommonOptions): string {
  const database = readDatabase(options.database, io.env);
  if (isInMemory(database))
    throw new CommandRefused('an in-memory database does not outlive its process: use a file', 2);
  return database;
}

/** Throws CommandRefused if the folder of `file`, an absolute path, does not exist. */
export async function requireFolderOf(file: string): Promise<void> {
  const folder = dirname(file);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new CommandRefused(`cannot write ${file}: there is no folder ${folder}`);
}

export function printResult(io: CommandIo, options: CommonOptions, { json, text }: Result): void {
  if (options.json) io.print(JSON.stringify(json));
  else if (text !== '') io.print(text);
}

/** Formats an object as lines of `key: value`; undefined values are omitted. */
export function asLines(object: Readonly<Record<string, unknown>>): string {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join('\n');
}

/** Returns an object as a result; its text has a line per member. */
export function objectResult(json: Readonly<Record<string, unknown>>): Result {
  return { json, text: asLines(json) };
}

export function isoTime(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
}

/** The options of irreversible commands. */
export interface ConfirmOptions extends CommonOptions {
  readonly yes?: true;
}

/** Adds `--yes` to an irreversible command. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation; required without a terminal');
}

/**
 * Asks for confirmation of an irreversible action, such as `delete @bob with all posts`. Throws CommandRefused if the
 * answer is not yes, with status 2 if there is no terminal and no `--yes`.
 */
export async function confirm(io: CommandIo, { yes }: ConfirmOptions, what: string): Promise<void> {
  if (yes) return;
  const answer = await io.ask(`This will ${what}. Continue? [y/N] `);
  if (answer === undefined) throw new CommandRefused(`this would ${what}: add --yes to continue`, 2);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('nothing was changed');
}
