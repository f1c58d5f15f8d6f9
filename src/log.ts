import { destination, pino, type Logger } from 'pino';
import type { LogLevel } from './config.js';

const STANDARD_ERROR = 2;

/** The server's log: one JSON object a line on standard error. Never give it tokens, secrets or texts of messages. */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null }, destination({ dest: STANDARD_ERROR, sync: true }));
}
