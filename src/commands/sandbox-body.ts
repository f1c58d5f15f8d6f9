import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { JsonSchema } from '../core/json-schema.js';
import { readingFile } from '../core/unreadable-file.js';
import { CommandRefused, type CommandIo } from './command.js';

export type GivenValue = string | readonly string[] | boolean | undefined;

/** The options from which a body comes. */
export interface GivenBody {
  /** A file with the whole body; `-` for standard input. */
  readonly body?: string;
  readonly [member: string]: GivenValue;
}

/**
 * Returns the JSON of a body: from the file, or from an option for each member. Returns undefined if there is none.
 * Throws UnreadableFile, and CommandRefused for both.
 */
export async function bodyOf(
  io: CommandIo,
  members: readonly (readonly [string, JsonSchema])[],
  { body: file, ...given }: GivenBody,
): Promise<string | undefined> {
  const entries = members.flatMap(([name, schema]) => {
    const value = given[optionKey(name)];
    return value === undefined ? [] : [[name, valueOf(schema, value)] as const];
  });
  if (file === undefined)
    return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
  if (entries.length > 0)
    throw new CommandRefused('--body is the whole body: leave the other options out', 2);
  return file === '-' ? readAll(io.stdin) : readingFile(file, () => readFile(file, 'utf8'));
}

/** Returns the name under which commander keeps the option of a member. */
export function optionKey(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns what an option means by the schema of its member; the server refuses what does not fit. */
function valueOf({ type, items }: JsonSchema, value: Exclude<GivenValue, undefined>): unknown {
  if (typeof value === 'boolean' || type === 'string') return value;
  if (typeof value !== 'string') return value.map((each) => valueOf((items ?? {}) as JsonSchema, each));
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
