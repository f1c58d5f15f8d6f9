import type { Principal } from '../core/access.js';
import type { Failure } from '../core/errors.js';

/** The log of failures; a pino logger fits. */
export interface ApiLog {
  error(fields: object, message: string): void;
}

/** The call that failed, for the log. */
interface FailedCall {
  readonly requestId: string;
  readonly operation: string;
  readonly principal: Principal | undefined;
}

/** Logs an error behind a failure of the server (`isServerFault`). */
export function logServerFault(call: FailedCall, error: unknown, failure: Failure, log: ApiLog): void {
  logFault(call, error, failure.code === 'internal' ? 'request failed' : 'storage unavailable', log);
}

/** Logs an error with the ids of its call. */
export function logFault(call: FailedCall, error: unknown, message: string, log: ApiLog): void {
  const { requestId, operation, principal } = call;
  const userId = principal === undefined || principal.context === 'app' ? undefined : principal.userId;
  const ids = { requestId, operation, appId: principal?.app.id.toString(), userId: userId?.toString() };
  log.error({ ...ids, err: error }, message);
}
