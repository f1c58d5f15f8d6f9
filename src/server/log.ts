import { destination, pino, stdSerializers, type Logger } from 'pino';
import type { LogLevel } from './config.js';

const STANDARD_ERROR = 2;

/**
 * Creates the server's log: one JSON object per line on standard error. Callers must not log tokens, secrets or
 * message texts. Logging never throws; entries that cannot be written are dropped.
 */
export function createLog(level: LogLevel): Logger {
  const lines = destination({ dest: STANDARD_ERROR, sync: true });
  // For example a full disk: without a listener, the error would be thrown in the code that logs.
  lines.on('error', () => undefined);
  return pino({ level, base: null, serializers: { err: describeError } }, lines);
}

function describeError(error: Error): unknown {
  try {
    return stdSerializers.err(error);
  } catch {
    return { message: 'an unreadable error' };
  }
}
