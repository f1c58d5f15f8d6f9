import { ConfigRefused } from '../config.js';
import { PipitError } from '../core/errors.js';
import { AlreadyExists, StorageUnavailable, UnsupportedDatabase, WrongDatabase } from '../storage/errors.js';
import { WorldRefused } from '../world/faults.js';
import { CommandRefused } from './command.js';

/** What standard error and the exit status say about a failure. */
export interface Failure {
  readonly lines: readonly string[];
  readonly exitStatus: 1 | 2;
}

/** Errors whose message is written for the operator; told by name, as their modules are loaded when they are needed. */
const TOLD_BY_NAME: ReadonlySet<string> = new Set([
  'ListenRefused',
  'KeyFileRefused',
  'CredentialsFileRefused',
  'BackupRefused',
]);

/** Puts an error into lines without a stack: what is wrong, and where. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandRefused) return { lines: [error.message], exitStatus: error.exitStatus };
  if (error instanceof ConfigRefused) return { lines: error.faults, exitStatus: 2 };
  if (error instanceof WorldRefused) return { lines: describeWorld(error), exitStatus: 1 };
  return { lines: [describe(error).replaceAll(/\s*\n\s*/g, ' ')], exitStatus: 1 };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`;
  if (TOLD_BY_NAME.has(error.name) || error instanceof PipitError) return error.message;
  const isStorage = [AlreadyExists, StorageUnavailable, UnsupportedDatabase, WrongDatabase].some(
    (kind) => error instanceof kind,
  );
  // System errors (ENOENT, EACCES) name the call and the file themselves.
  if (isStorage || 'syscall' in error) return withCause(error);
  return `unexpected failure: ${error.name}: ${withCause(error)}`;
}

function withCause({ message, cause }: Error): string {
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message}: ${cause.message}`
    : message;
}

function describeWorld({ faults, unlisted, file }: WorldRefused): string[] {
  const where = file === undefined ? '' : `${file}: `;
  const lines = faults.map(({ path, reason }) => `${where}${path}: ${reason}`);
  return unlisted === 0 ? lines : [...lines, `${where}and ${unlisted} more faults`];
}
