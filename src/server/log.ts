import { destination, pino, stdSerializers, type Logger } from 'pino';
import type { LogLevel } from './config.js';

const STANDARD_ERROR = 2;

/**
 * The server's log: one JSON object a line on standard error. Never give it tokens, secrets or texts of messages. It
 * never throws: what cannot be written is dropped.
 */
export function createLog(level: LogLevel): Logger {
  const lines = destination({ dest: STANDARD_ERROR, sync: true });
  // Such as a full disk; without a listener the error would be thrown where something was logged.
  lines.on('error', () => undefined);
  return pino({ level, base: null, serializers: { err: describeError } }, lines);
}

function describeError(error: Error): unknown {
  try {
    return stdSerializers.err(error);
  } catch {
    return { message: 'an error that cannot be read' };
  }
}
