import { ConfigRefused } from '../server/config.js';
import { PipitError } from '../core/errors.js';
import { inOneLine } from '../core/plain-line.js';
import { UnreadableFile } from '../core/unreadable-file.js';
import { AlreadyExists, StorageUnavailable, UnsupportedDatabase, WrongDatabase } from '../database/errors.js';
import { WorkerFailed } from '../server/workers/messages.js';
import { WorldRefused } from '../world/faults.js';
import { CommandRefused } from './command.js';
import { adviseOnDatabase } from './database-advice.js';

/** The messages and the exit status for a failure. */
export interface Failure {
  readonly lines: readonly string[];
  readonly exitStatus: 1 | 2 | 130;
}

/** Errors with a message for the operator, by name, since their modules are loaded on demand. */
const OPERATOR_ERRORS: ReadonlySet<string> = new Set([
  'ListenRefused',
  'KeyFileRefused',
  'SharingRefused',
  'StoreIdRefused',
  'CredentialsFileRefused',
  'BackupRefused',
  'ProgramFailed',
  'DatabaseInUse',
  'ForeignFile',
  'MoveRefused',
  'VisitRefused',
  'RecordingRefused',
]);

/** Describes an error without a stack: what is wrong, and where. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandRefused) return { lines: [error.message], exitStatus: error.exitStatus };
  if (error instanceof ConfigRefused) return { lines: error.faults, exitStatus: 2 };
  if (error instanceof WorkerFailed) return { lines: error.lines, exitStatus: 1 };
  if (error instanceof WorldRefused) return { lines: describeWorld(error), exitStatus: 1 };
  return { lines: [inOneLine(describe(error))], exitStatus: isMalformed(error) ? 2 : 1 };
}

/** Reports whether the error is invalid input, such as a name or redirect URI, regardless of the database. */
function isMalformed(error: unknown): boolean {
  return error instanceof PipitError && error.failure.code === 'invalid-request';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`;
  const isForOperator = error instanceof PipitError || error instanceof UnreadableFile;
  if (isForOperator || OPERATOR_ERRORS.has(error.name)) return error.message;
  const advice = adviseOnDatabase(error);
  if (advice !== undefined) return advice;
  const isStorage = [AlreadyExists, StorageUnavailable, UnsupportedDatabase, WrongDatabase].some(
    (kind) => error instanceof kind,
  );
  if (isStorage) return withCause(error);
  if (isSystemError(error)) return describeSystemError(error);
  return `unexpected failure: ${error.name}: ${withCause(error)}`;
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'the name is in use',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

interface SystemError extends NodeJS.ErrnoException {
  readonly dest?: string;
}

function isSystemError(error: Error): error is SystemError {
  return 'syscall' in error;
}

/** Describes errors of file operations; other and rare errors describe themselves. */
function describeSystemError(error: SystemError): string {
  const file = error.dest ?? error.path;
  const reason = SYSTEM_REASONS[error.code ?? ''];
  if (reason === undefined) return error.message;
  return `cannot ${[error.syscall ?? 'use', file].filter((part) => part !== undefined).join(' ')}: ${reason}`;
}

function withCause({ message, cause }: Error): string {
  if (!(cause instanceof Error) || message.includes(cause.message)) return message;
  return `${message}: ${isSystemError(cause) ? describeSystemError(cause) : cause.message}`;
}

/** The maximum number of listed faults; `--json` lists all. */
const MAX_WORLD_LINES = 100;

/** Returns one line per fault. */
function describeWorld({ faults, unlisted, file }: WorldRefused): string[] {
  const lines = faults
    .slice(0, MAX_WORLD_LINES)
    .map(({ path, reason }) => [file, path, reason].filter((part) => part !== undefined).join(': '));
  const count = faults.length - lines.length + unlisted;
  if (count > 0)
    lines.push(`${count} more ${count === 1 ? 'fault' : 'faults'}: pipit load --json lists them`);
  return lines;
}
