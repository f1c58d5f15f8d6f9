import type { LimitLeft } from '../api/limits-left.js';
import type { Principal } from '../core/access.js';
import { count, date, id, object as objectOf, oneOf, text as textOf } from '../core/json-schema.js';
import { timeText } from './times.js';

/** A running window of a rate limit. */
export const limitFields = objectOf(
  {
    operation: textOf,
    method: textOf,
    path: textOf,
    per: oneOf('app', 'user'),
    app_id: id,
    user_id: id,
    limit: count,
    remaining: count,
    reset: date,
  },
  ['operation', 'method', 'path', 'per', 'limit', 'remaining', 'reset'],
);

/** Returns a window of a caller as the sandbox shows it. */
export function presentLimit(
  { operation: name, method, path, per, limit, remaining, resetSeconds }: LimitLeft,
  principal: Principal,
) {
  return {
    operation: name,
    method,
    path,
    per,
    app_id: String(principal.app.id),
    ...(principal.context !== 'app' && { user_id: String(principal.userId) }),
    limit,
    remaining,
    reset: timeText(resetSeconds * 1000),
  };
}
