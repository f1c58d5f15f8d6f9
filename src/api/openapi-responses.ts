import { type JsonSchema, ref } from '../core/json-schema.js';
import { pathParameters } from '../http/path-pattern.js';
import { type AnyEndpoint } from './endpoint.js';

/** The refusals that an operation may answer with, by status, as `components.responses` names them. */
const REFUSALS = {
  400: ['InvalidRequest', 'Parameters or body are wrong.', ['InvalidRequestProblem']],
  401: ['Unauthorized', 'The credentials are missing or wrong.', ['Problem']],
  403: ['Forbidden', 'The credentials do not allow this.', ['ClientForbiddenProblem', 'Problem']],
  404: ['NotFound', 'There is no such thing.', ['ResourceNotFoundProblem', 'Problem']],
  409: ['Conflict', 'It cannot be done at the same time as another.', ['Problem']],
  413: ['PayloadTooLarge', 'The body is too large.', ['Problem']],
  415: ['UnsupportedMediaType', 'The body is compressed.', ['Problem']],
  429: ['TooManyRequests', 'A limit is reached.', ['UsageCappedProblem', 'Problem']],
  503: ['Unavailable', 'The database cannot serve now.', ['Problem']],
} as const satisfies Record<number, readonly [string, string, readonly string[]]>;

type Status = keyof typeof REFUSALS;

const HEADERS = {
  'x-rate-limit-limit': 'Requests in a window.',
  'x-rate-limit-remaining': 'Requests left in this window.',
  'x-rate-limit-reset': 'When the next window begins, in seconds since 1970.',
  'retry-after': 'Seconds to wait.',
};
type Header = keyof typeof HEADERS;

const RATE_HEADERS = ['x-rate-limit-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset'] as const;

/** Returns the responses of an operation: its successes and each way in which it refuses. */
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
  const content = response === undefined ? {} : { content: { 'application/json': { schema: response } } };
  const limited = (each.rateLimits ?? []).length > 0;
  const headers = limited ? { headers: headersOf(...RATE_HEADERS) } : {};
  return [success, ...otherSuccesses].map((status) => [
    String(status),
    { description: 'The request succeeded.', ...headers, ...(status === 204 ? {} : content) },
  ]);
}

/** What a declaration implies: who may call it, what is sent, how often. */
function statusesOf(each: AnyEndpoint): Status[] {
  const { access, body } = each;
  const isLimited = (each.rateLimits ?? []).length > 0 || each.capped === true;
  const statuses: Record<Status, boolean> = {
    400: true,
    401: access !== 'public',
    403: access !== 'public' || body !== undefined,
    404: namesOne(each),
    409: each.conflicts === true,
    413: body !== undefined,
    415: body !== undefined,
    429: isLimited,
    503: true,
  };
  return ALL_STATUSES.filter((status) => statuses[status]);
}

/** True when a request names a thing that may not exist: what lists of ids do not find is told beside what they do. */
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

/** Returns the named responses of refusals, of both error forms. */
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

/** Returns the headers that responses point to. */
export function headerComponents(): JsonSchema {
  const schema = { type: 'integer', minimum: 0 };
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [name, { description, schema }]),
  );
}

/** Some problems come as `application/problem+json`. */
function refusal(description: string, schemas: readonly string[]): JsonSchema {
  const [first = 'Problem'] = schemas;
  const schema = schemas.length === 1 ? ref(first) : { anyOf: schemas.map(ref) };
  const problem = first === 'V1Errors' ? {} : { 'application/problem+json': { schema } };
  return { description, content: { 'application/json': { schema }, ...problem } };
}
