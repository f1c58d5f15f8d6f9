import type { AnyEndpoint } from '../api/endpoint.js';
import type { RequestObserver, SeenRequest } from '../http/request-listeners.js';
import type { Principal } from '../core/access.js';
import { hidePath } from '../journal/hide-path.js';
import { hideQuery, type Shown } from '../journal/hide.js';
import { refusalOf } from '../journal/refusal.js';

export interface RequestLogDeps {
  /** Writes a line; fits pino's `info`. */
  readonly info: (fields: object, message: string) => void;
  /** The requests that are logged. */
  readonly mode: 'refused' | 'all';
  readonly endpoints: readonly AnyEndpoint[];
  /** Whether base strings show the values of forms, which may contain private texts. */
  readonly showsForms: boolean;
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

/** There may be thousands of refused requests; if only these are logged, this many lines per second are enough. */
const MAX_REFUSALS_PER_SECOND = 100;

/** Logs one line per request, without secrets and private texts. */
export function createRequestLog({
  info,
  mode,
  endpoints,
  showsForms,
  nowMs,
}: RequestLogDeps): RequestObserver {
  const declared = new Map(endpoints.map(({ operationId, params }) => [operationId, namesOf(params)]));
  const admit = createLimit(nowMs);
  const observe = (request: SeenRequest): void => {
    const leftOut = mode === 'refused' ? admit() : 0;
    if (leftOut === undefined) return;
    const names = declared.get(request.operation) ?? NO_NAMES;
    info(
      {
        ...requestFields(request, { declared: names, others: false }),
        ...(request.status >= 400 && refusalOf(request.failure, { declared: names, others: showsForms })),
        ...(leftOut > 0 && { leftOut }),
      },
      'request',
    );
  };
  return { onlyRefused: mode === 'refused', observe };
}

const NO_NAMES: ReadonlySet<string> = new Set();

function namesOf(params: AnyEndpoint['params'] = {}): ReadonlySet<string> {
  return new Set(Object.keys(params));
}

function requestFields(request: SeenRequest, shown: Shown): object {
  const { requestId, method, url, operation, status, elapsedMs, isCut, principal } = request;
  const start = url.indexOf('?');
  const path = start < 0 ? url : url.slice(0, start);
  // The pattern identifies a route that is not an endpoint; its path may contain an unguessable name.
  const isPattern = operation.includes('{') || operation.includes('*');
  return {
    requestId,
    method,
    path: isPattern ? operation.slice(operation.indexOf('/')) : hidePath(path),
    query: start < 0 ? undefined : hideQuery(url.slice(start + 1), shown),
    operation,
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    ...(isCut && { isCut }),
    ...(principal && idsOf(principal)),
  };
}

function idsOf(principal: Principal): object {
  return {
    appId: principal.app.id.toString(),
    userId: principal.context === 'app' ? undefined : principal.userId.toString(),
  };
}

/** Creates a rate limit: returns how many lines were left out before this one; undefined to leave it out. */
function createLimit(nowMs: () => number): () => number | undefined {
  let sinceMs = -Infinity;
  let count = 0;
  let leftOut = 0;
  return () => {
    if (nowMs() - sinceMs >= 1_000) {
      sinceMs = nowMs();
      count = 0;
    }
    count += 1;
    if (count > MAX_REFUSALS_PER_SECOND) {
      leftOut += 1;
      return undefined;
    }
    const before = leftOut;
    leftOut = 0;
    return before;
  };
}
