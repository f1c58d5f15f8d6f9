import type { AnyEndpoint } from '../api/endpoint.js';
import type { Principal } from '../core/access.js';
import { RequestAborted } from '../http/read-body.js';
import type { NewEntry } from './entry.js';
import type { Shown } from './hide.js';
import type { Nearest } from './nearest.js';
import { refusalOf } from './refusal.js';

/** Creates a function that returns what may be shown of the requests of an operation. */
export function shownOf(endpoints: readonly AnyEndpoint[]): (operation: string) => Shown {
  let declared: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return (operation) => ({
    declared: (declared ??= declaredBy(endpoints)).get(operation) ?? new Set(),
    others: true,
    hidesInUrlPaths: /webhook/i.test(operation),
  });
}

function declaredBy(endpoints: readonly AnyEndpoint[]): Map<string, Set<string>> {
  return new Map(
    endpoints.map(({ operationId, params = {} }) => [operationId, new Set(Object.keys(params))]),
  );
}

/** Returns who sent a request, and why it was refused. */
export function outcomeOf(
  principal: Principal | undefined,
  failure: unknown,
  shown: Shown,
): Pick<NewEntry, 'app' | 'userId' | 'refusal'> {
  return {
    ...(principal && sender(principal)),
    ...(isRefusal(failure) && { refusal: refusalOf(failure, shown) }),
  };
}

/** Adds to a refused entry what would have been accepted. */
export function withNearest(entry: NewEntry, nearest: readonly Nearest[]): NewEntry {
  if (entry.refusal === undefined || nearest.length === 0) return entry;
  return { ...entry, refusal: { ...entry.refusal, nearest } };
}

/** A client that leaves is not refused. */
function isRefusal(failure: unknown): boolean {
  return failure !== undefined && !(failure instanceof RequestAborted);
}

function sender(principal: Principal): Pick<NewEntry, 'app' | 'userId'> {
  const { app } = principal;
  return {
    app: { id: String(app.id), name: app.name },
    ...(principal.context !== 'app' && { userId: String(principal.userId) }),
  };
}
