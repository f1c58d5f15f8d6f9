import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { isInMemory, readDatabase, type Environment } from '../server/config.js';
import { optionOf } from './setting-options.js';

/** What commands know of the process they run in. */
export interface CommandIo {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadableStream;
  readonly isTerminal: boolean;
  readonly pid: number;
  /** Where the process was started; paths are told relative to it. */
  readonly folder: string;
  /** Writes a line to standard output: results. */
  print(line: string): void;
  /** Writes a line to standard error: everything else. */
  note(line: string): void;
  /** Shows a line on the terminal that the next one replaces, an empty one takes it away; absent where there is none. */
  readonly showStatus?: (line: string) => void;
  /** Asks for a secret without showing it; undefined where nobody could answer. */
  askSecret(question: string): Promise<string | undefined>;
  /** Asks a question; undefined where nobody could answer. */
  ask(question: string): Promise<string | undefined>;
  /** Resolves when the process is asked to stop. */
  stopRequested(): Promise<void>;
  /** Calls whenever the process is asked to start anew what it runs (SIGHUP), which without this would end it. */
  onRestartRequested(listener: () => void): void;
  /** Calls with every error that nothing caught, which without this would end the process. */
  onEscapedError(listener: (error: unknown) => void): void;
}

/** The options that every command has. */
export interface CommonOptions {
  readonly database?: string;
  readonly json?: true;
}

/** What a command tells when it is done. */
export interface Result {
  /** In the key names of world files. */
  readonly json: unknown;
  readonly text: string;
}

/** A command cannot be done; the message is one line for whoever typed it. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';

  constructor(
    message: string,
    /** 1: it cannot be done; 2: it was asked for wrongly; 130: it was interrupted (128 and SIGINT's number). */
    readonly exitStatus: 1 | 2 | 130 = 1,
  ) {
    super(message);
  }
}

/** Adds the options that every command has. */
export function withCommonOptions(command: Command): Command {
  return command.addOption(optionOf('database')).option('--json', 'print the result as JSON');
}

/** An option that takes one of a few words. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

/** The database that the options name, which must outlive the command. Throws ConfigRefused or CommandRefused. */
export function readLastingDatabase(io: CommandIo, options: CommonOptions): string {
  const database = readDatabase(options.database, io.env);
  if (isInMemory(database))
    throw new CommandRefused('a database in memory ends with its process: name a file', 2);
  return database;
}

/** Throws CommandRefused unless there is a folder in which `file`, an absolute path, can be made. */
export async function requireFolderOf(file: string): Promise<void> {
  const folder = dirname(file);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new CommandRefused(`cannot write ${file}: there is no folder ${folder}`);
}

export function printResult(io: CommandIo, options: CommonOptions, { json, text }: Result): void {
  if (options.json) io.print(JSON.stringify(json));
  else if (text !== '') io.print(text);
}

/** An object as lines of `key: value`; what is undefined is left out. */
export function asLines(object: Readonly<Record<string, unknown>>): string {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join('\n');
}
