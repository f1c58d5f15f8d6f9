import { ConfigRefused } from '../server/config.js';
import { PipitError } from '../core/errors.js';
import { inOneLine } from '../core/plain-line.js';
import { UnreadableFile } from '../core/unreadable-file.js';
import { AlreadyExists, StorageUnavailable, UnsupportedDatabase, WrongDatabase } from '../database/errors.js';
import { WorkerFailed } from '../server/workers/messages.js';
import { WorldRefused } from '../world/faults.js';
import { CommandRefused } from './command.js';
import { adviseOnDatabase } from './database-advice.js';

/** What standard error and the exit status say about a failure. */
export interface Failure {
  readonly lines: readonly string[];
  readonly exitStatus: 1 | 2 | 130;
}

/** Errors whose message is written for the operator; told by name, as their modules are loaded when they are needed. */
const TOLD_BY_NAME: ReadonlySet<string> = new Set([
  'ListenRefused',
  'KeyFileRefused',
  'CredentialsFileRefused',
  'BackupRefused',
  'DatabaseInUse',
  'ForeignFile',
]);

/** Puts an error into lines without a stack: what is wrong, and where. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandRefused) return { lines: [error.message], exitStatus: error.exitStatus };
  if (error instanceof ConfigRefused) return { lines: error.faults, exitStatus: 2 };
  if (error instanceof WorkerFailed) return { lines: error.lines, exitStatus: 1 };
  if (error instanceof WorldRefused) return { lines: describeWorld(error), exitStatus: 1 };
  return { lines: [inOneLine(describe(error))], exitStatus: isMalformed(error) ? 2 : 1 };
}

/** Whatever the database holds, a name or redirect URI that breaks its rule cannot be taken. */
function isMalformed(error: unknown): boolean {
  return error instanceof PipitError && error.failure.code === 'invalid-request';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`;
  const isForOperator = error instanceof PipitError || error instanceof UnreadableFile;
  if (isForOperator || TOLD_BY_NAME.has(error.name)) return error.message;
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
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'something else has that name',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not do that',
  EPERM: 'this user may not do that',
  EROFS: 'it can only be read',
  ENOSPC: 'the disk is full',
};

interface SystemError extends NodeJS.ErrnoException {
  readonly dest?: string;
}

function isSystemError(error: Error): error is SystemError {
  return 'syscall' in error;
}

/** Errors of calls on files; those of others, and rare ones, say themselves which call and why. */
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

/** More are counted: a screen holds no more, and `--json` lists them. */
const MAX_WORLD_LINES = 100;

/** One line for each fault. */
function describeWorld({ faults, unlisted, file }: WorldRefused): string[] {
  const lines = faults
    .slice(0, MAX_WORLD_LINES)
    .map(({ path, reason }) => [file, path, reason].filter((part) => part !== undefined).join(': '));
  const count = faults.length - lines.length + unlisted;
  if (count > 0)
    lines.push(`${count} more ${count === 1 ? 'fault' : 'faults'}: pipit load --json lists them`);
  return lines;
}
