import { type JsonSchema, ref } from '../core/json-schema.js';
import { pathParameters } from '../http/router.js';
import { type AnyEndpoint } from './endpoint.js';

/** The possible refusals of operations by status, with their names in `components.responses`. */
const REFUSALS = {
  400: ['InvalidRequest', 'The parameters or the body are invalid.', ['InvalidRequestProblem']],
  401: ['Unauthorized', 'The credentials are missing or invalid.', ['Problem']],
  403: ['Forbidden', 'The credentials do not allow this.', ['ClientForbiddenProblem', 'Problem']],
  404: ['NotFound', 'The object does not exist.', ['ResourceNotFoundProblem', 'Problem']],
  409: ['Conflict', 'The operation conflicts with another one.', ['StreamRefusedProblem', 'Problem']],
  413: ['PayloadTooLarge', 'The body is too large.', ['Problem']],
  415: ['UnsupportedMediaType', 'The body is compressed.', ['Problem']],
  422: ['UnprocessableEntity', 'There would be too many rules.', ['Problem']],
  429: ['TooManyRequests', 'A limit was reached.', ['UsageCappedProblem', 'StreamRefusedProblem', 'Problem']],
  503: ['Unavailable', 'The database is temporarily unavailable.', ['Problem']],
} as const satisfies Record<number, readonly [string, string, readonly string[]]>;

type Status = keyof typeof REFUSALS;

const HEADERS = {
  'x-rate-limit-limit': 'The number of requests allowed per window.',
  'x-rate-limit-remaining': 'The number of requests left in this window.',
  'x-rate-limit-reset': 'The end of this window, in epoch seconds.',
  'retry-after': 'The number of seconds to wait.',
};
type Header = keyof typeof HEADERS;

const RATE_HEADERS = ['x-rate-limit-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset'] as const;

/** Returns the responses of an operation: its successes and its refusals. */
export function responsesOf(each: AnyEndpoint): JsonSchema {
  const names = each.errorStyle === 'v1' ? v1NameOf : nameOf;
  const refusals = statusesOf(each).map((status) => [String(status), responseRef(names(status))]);
  return {
    ...Object.fromEntries(successesOf(each)),
    ...Object.fromEntries(refusals),
    default: responseRef(each.errorStyle === 'v1' ? 'V1Failure' : 'Failure'),
  };
}

function successesOf(each: AnyEndpoint): [string, JsonSchema][] {
  const { success = 200, response, otherSuccesses = [] } = each;
  const content = each.file
    ? { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
    : response === undefined
      ? {}
      : { content: { 'application/json': { schema: response } } };
  const limited = (each.rateLimits ?? []).length > 0;
  const headers = limited ? { headers: headersOf(...RATE_HEADERS) } : {};
  return [success, ...otherSuccesses].map((status) => [
    String(status),
    { description: 'The request succeeded.', ...headers, ...(status === 204 ? {} : content) },
  ]);
}

/** Returns the statuses of refusals that a declaration implies, with what they mean. */
export function refusalsOf(each: AnyEndpoint): [status: number, meaning: string][] {
  return statusesOf(each).map((status) => [status, REFUSALS[status][1]]);
}

/** Returns the statuses that a declaration implies. */
function statusesOf(each: AnyEndpoint): Status[] {
  const { access, body } = each;
  const takesBody = body !== undefined || each.formParams === true;
  const isLimited = (each.rateLimits ?? []).length > 0 || each.capped === true;
  const statuses: Record<Status, boolean> = {
    400: true,
    401: access !== 'public',
    403: access !== 'public' || body !== undefined,
    404: namesOne(each),
    409: each.conflicts === true,
    413: takesBody,
    415: takesBody,
    422: each.limitsRules === true,
    429: isLimited,
    503: true,
  };
  return ALL_STATUSES.filter((status) => statuses[status]);
}

/**
 * Returns true if a request names one object that may be missing; lookups of several report missing ones in a 200.
 */
function namesOne({ path, body, openQuery, params = {} }: AnyEndpoint): boolean {
  const hasId = Object.values(params).some(({ required, schema }) => required && 'pattern' in schema);
  return pathParameters(path).length > 0 || hasId || body !== undefined || openQuery === true;
}

const ALL_STATUSES = Object.keys(REFUSALS).map(Number) as Status[];

function nameOf(status: Status): string {
  return REFUSALS[status][0];
}

function v1NameOf(status: Status): string {
  return `V1${nameOf(status)}`;
}

function responseRef(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}

/** Returns the named refusals in both error formats. */
export function responseComponents(): Readonly<Record<string, JsonSchema>> {
  const components: Record<string, JsonSchema> = {
    Failure: refusal('The request failed.', ['Problem']),
    V1Failure: refusal('The request failed.', ['V1Errors']),
  };
  for (const status of ALL_STATUSES) {
    const [, description, schemas] = REFUSALS[status];
    const headers = headersAt(status);
    components[nameOf(status)] = { ...refusal(description, schemas), ...headers };
    components[v1NameOf(status)] = { ...refusal(description, ['V1Errors']), ...headers };
  }
  return components;
}

function headersAt(status: Status): JsonSchema {
  if (status === 429) return { headers: headersOf(...RATE_HEADERS, 'retry-after') };
  return status === 503 ? { headers: headersOf('retry-after') } : {};
}

function headersOf(...names: readonly Header[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers that responses reference. */
export function headerComponents(): JsonSchema {
  const schema = { type: 'integer', minimum: 0 };
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [name, { description, schema }]),
  );
}

/** Some problems are sent as `application/problem+json`. */
function refusal(description: string, schemas: readonly string[]): JsonSchema {
  const [first = 'Problem'] = schemas;
  const schema = schemas.length === 1 ? ref(first) : { anyOf: schemas.map(ref) };
  const problem = first === 'V1Errors' ? {} : { 'application/problem+json': { schema } };
  return { description, content: { 'application/json': { schema }, ...problem } };
}
