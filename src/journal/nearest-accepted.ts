import type { AnyEndpoint } from '../api/endpoint.js';
import { type Failure, PipitError, type Violation } from '../core/errors.js';
import { typoDistance } from '../core/nearest.js';
import { found, type Nearest } from './nearest.js';
import { nearestMember } from './nearest-member.js';

/** A refused request. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  /** The id of its endpoint, if it has one. */
  readonly operation: string;
}

const MAX_VIOLATIONS = 20;

/** Creates a function that finds what is nearest to a refused request among what the endpoints accept. */
export function createNearestAccepted(endpoints: readonly AnyEndpoint[]) {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
  return (failure: unknown, request: RefusedRequest): readonly Nearest[] => {
    if (!(failure instanceof PipitError)) return [];
    if (failure.failure.code === 'route-not-found') return nearestOperation(endpoints, request);
    return ofEndpoint(failure.failure, request, byId.get(request.operation));
  };
}

function ofEndpoint(
  failure: Failure,
  { method }: RefusedRequest,
  endpoint: AnyEndpoint | undefined,
): readonly Nearest[] {
  const access = endpoint === undefined || endpoint.access === 'public' ? undefined : endpoint.access;
  if (failure.code === 'method-not-allowed') {
    return [{ kind: 'method', sent: method, accepted: failure.allowed }];
  }
  if (failure.code === 'unsupported-authentication') {
    return [{ kind: 'credentials', sent: failure.used, accepted: failure.supported }];
  }
  if (failure.code === 'scope-missing') {
    return [{ kind: 'scope', accepted: [...(access?.scopes ?? []), ...(access?.anyScope ?? [])] }];
  }
  if (failure.code === 'permission-missing') {
    return [{ kind: 'permission', accepted: [access?.permission ?? 'read'] }];
  }
  if (failure.code !== 'invalid-request' || endpoint === undefined) return [];
  return failure.violations.slice(0, MAX_VIOLATIONS).flatMap((each) => ofViolation(each, endpoint));
}

function ofViolation({ parameters }: Violation, endpoint: AnyEndpoint): readonly Nearest[] {
  return Object.entries(parameters).flatMap(([name, values]) => {
    if (name.startsWith('$')) return nearestMember(endpoint, name, values);
    return nearestParameter(endpoint, name, values);
  });
}

function nearestParameter(
  { params = {} }: AnyEndpoint,
  name: string,
  values: readonly string[],
): readonly Nearest[] {
  if (Object.hasOwn(params, name))
    return values.flatMap((value) => nearestValues(params[name]?.schema, value));
  const inQuery = Object.keys(params).filter((known) => params[known]?.in === 'query');
  return found('parameter', name, inQuery);
}

/** Finds the choices that are nearest to the entries of a list that are none. */
function nearestValues(schema: unknown, value: string): readonly Nearest[] {
  const { items, enum: own } = (schema ?? {}) as { items?: { enum?: unknown }; enum?: unknown };
  const choices = (items?.enum ?? own) as readonly string[] | undefined;
  if (!Array.isArray(choices)) return [];
  const wrong = value.split(',', MAX_VIOLATIONS).filter((entry) => !choices.includes(entry));
  return wrong.flatMap((entry) => found('value', entry, choices));
}

/** Finds the operation whose path is nearest, among equal ones that with the same method. */
function nearestOperation(
  endpoints: readonly AnyEndpoint[],
  { method, path }: RefusedRequest,
): readonly Nearest[] {
  const depth = depthOf(path);
  let best: AnyEndpoint | undefined;
  let least = Infinity;
  for (const endpoint of endpoints) {
    // Comparing paths takes time; those of another depth are rarely near.
    if (Math.abs(depthOf(endpoint.path) - depth) > 1) continue;
    const distance = pathDistance(path, endpoint.path) + (endpoint.method === method ? 0 : 0.5);
    if (distance >= least) continue;
    best = endpoint;
    least = distance;
  }
  if (best === undefined) return [];
  return [{ kind: 'operation', sent: `${method} ${path}`, accepted: [`${best.method} ${best.path}`] }];
}

/** Compares a path with a pattern, without the values of the pattern's placeholders. */
function pathDistance(path: string, pattern: string): number {
  const segments = path.split('/');
  const parts = pattern.split('/');
  const emptied = (texts: readonly string[]): string =>
    texts.map((text, at) => (takes(parts[at] ?? '', segments[at] ?? '') ? '{}' : text)).join('/');
  return typoDistance(emptied(segments), emptied(parts));
}

/** Reports whether a part of a pattern is a placeholder that a segment may fill. */
function takes(part: string, segment: string): boolean {
  return part.startsWith('{') && (!part.endsWith('id}') || /^\d+$/.test(segment));
}

function depthOf(path: string): number {
  return path.split('/').length;
}
