import { type Failure, type NamedOperation, PipitError } from '../core/errors.js';

/** The prefix of problem types; clients match their suffixes (docs/api/errors.md, first lines). */
const PROBLEM_BASE = 'https://api.twitter.com/2/problems/';

const REGISTRATION_URL = 'https://developer.twitter.com/en/docs/projects/overview';

const NOT_ENROLLED =
  'This request must be made using an approved developer account that is enrolled in the requested endpoint. Learn more by visiting our documentation.';

export const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/** The response to a failed request. */
export interface ProblemAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns status and body of a failure (docs/api/errors.md#problems, docs/api/errors.md#refused-actions).
 * `nowMs` is used for `retry-after`.
 */
export function problemOf(failure: Failure, nowMs: number): ProblemAnswer {
  switch (failure.code) {
    case 'invalid-request':
      return json(400, {
        errors: failure.violations,
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: `${PROBLEM_BASE}invalid-request`,
      });
    case 'payload-too-large':
      return blank(413, 'Payload Too Large');
    case 'request-timeout':
      return { ...blank(408, 'Request Timeout'), headers: { connection: 'close' } };
    case 'unsupported-encoding':
      return unsupportedEncoding(failure.encoding);
    case 'unauthorized':
      return blank(401, 'Unauthorized');
    case 'unsupported-authentication':
      return unsupportedAuthentication(failure.used, failure.supported);
    case 'research-track-required':
      return clientForbidden(failure.clientId, 'Academic Research', NOT_ENROLLED);
    case 'access-level-too-low':
      return clientForbidden(failure.clientId, 'Appropriate Level of API Access', NOT_ENROLLED);
    case 'scope-missing':
      return blank(403, 'Forbidden');
    case 'permission-missing':
      return permissionMissing(failure.used);
    case 'forbidden':
      return blank(403, 'Forbidden', failure.detail);
    case 'refused-v1':
      return blank(failure.status, failure.detail);
    case 'resource-not-found':
      return resourceNotFound(failure.resource);
    case 'route-not-found':
      return blank(404, 'Not Found');
    case 'not-implemented':
      return notImplemented(failure.operation);
    case 'method-not-allowed':
      return { ...blank(405, 'Method Not Allowed'), headers: { allow: failure.allowed.join(', ') } };
    case 'conflict':
      return typed(409, 'Conflict', 'conflict', { detail: failure.detail });
    case 'rule-cap-exceeded':
      return typed(422, 'RulesCapExceeded', 'rule-cap', { detail: failure.detail });
    case 'stream-refused':
      return streamRefused(failure.issue, failure.detail);
    case 'rate-limited':
      return rateLimited(failure.retryAtMs, nowMs);
    case 'usage-capped':
      return usageCapped(failure.accountId);
    case 'credits-depleted':
      return creditsDepleted(failure.accountId);
    case 'unavailable':
      return unavailable(failure.retryAfterSeconds);
    case 'internal':
      return blank(500, 'Internal Server Error', 'Something is broken. The fault has been logged.');
  }
}

function unsupportedEncoding(encoding: string): ProblemAnswer {
  const detail = `The content-encoding [${encoding}] is not supported.`;
  return { ...blank(415, 'Unsupported Media Type', detail), headers: { 'accept-encoding': 'identity' } };
}

/** Returns a problem identified by status and title only, such as those of the transport (414, 431, 408). */
export function blank(status: number, title: string, detail = title): ProblemAnswer {
  return json(status, { title, detail, type: 'about:blank', status });
}

function json(status: number, body: Record<string, unknown>): ProblemAnswer {
  return { status, body, contentType: JSON_TYPE };
}

function typed(status: number, title: string, type: string, members: Record<string, unknown>): ProblemAnswer {
  return json(status, { title, ...members, type: `${PROBLEM_BASE}${type}`, status });
}

/**
 * Returns the problem as observed on X: two spaces before "Supported", and its own content type
 * (docs/api/errors.md#problems).
 */
function unsupportedAuthentication(used: string, supported: readonly string[]): ProblemAnswer {
  const detail =
    `Authenticating with ${used} is forbidden for this endpoint.` +
    `  Supported authentication types are [${supported.join(', ')}].`;
  const problem = typed(403, 'Unsupported Authentication', 'unsupported-authentication', { detail });
  return { ...problem, contentType: PROBLEM_TYPE };
}

/**
 * Returns the problem of a missing permission. X's text mentions OAuth 1.0a; for OAuth 2.0 that is omitted and it
 * becomes a refused action.
 */
function permissionMissing(used: 'oauth1' | 'oauth2'): ProblemAnswer {
  const detail = (which: string) =>
    `Your client app is not configured with the appropriate ${which}app permissions for this endpoint.`;
  return used === 'oauth1'
    ? typed(403, 'Forbidden', 'oauth1-permissions', { detail: detail('oauth1 ') })
    : blank(403, 'Forbidden', detail(''));
}

function clientForbidden(clientId: string, requiredEnrollment: string, detail: string): ProblemAnswer {
  return typed(403, 'Client Forbidden', 'client-forbidden', {
    detail,
    client_id: clientId,
    registration_url: REGISTRATION_URL,
    required_enrollment: requiredEnrollment,
    reason: 'client-not-enrolled',
  });
}

function resourceNotFound(resource: {
  readonly resourceType: string;
  readonly parameter: string;
  readonly value: string;
}): ProblemAnswer {
  const { resourceType, parameter, value } = resource;
  return typed(404, 'Not Found Error', 'resource-not-found', {
    detail: `Could not find ${resourceType} with ${parameter}: [${value}].`,
    resource_type: resourceType,
    parameter,
    value,
    resource_id: value,
  });
}

/** The page that lists unimplemented operations. */
export const NOT_IMPLEMENTED_PATH = '/docs/not-implemented';

function notImplemented({ method, path, summary }: NamedOperation): ProblemAnswer {
  const detail =
    `This server does not implement ${method === 'ANY' ? '' : `${method} `}${path} (${summary}). ` +
    `${NOT_IMPLEMENTED_PATH} lists what is not implemented.`;
  const problem = blank(404, 'Not Found', detail);
  const operation = { method, path, summary };
  return { ...problem, body: { ...problem.body, operation, documentation_url: NOT_IMPLEMENTED_PATH } };
}

function rateLimited(retryAtMs: number, nowMs: number): ProblemAnswer {
  const waitSeconds = Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000));
  return { ...blank(429, 'Too Many Requests'), headers: { 'retry-after': String(waitSeconds) } };
}

function unavailable(retryAfterSeconds: number): ProblemAnswer {
  return { ...blank(503, 'Service Unavailable'), headers: { 'retry-after': String(retryAfterSeconds) } };
}

function streamRefused(
  issue: 'TooManyConnections' | 'RuleConfigurationIssue',
  detail: string,
): ProblemAnswer {
  const status = issue === 'TooManyConnections' ? 429 : 409;
  return typed(status, 'ConnectionException', 'streaming-connection', { detail, connection_issue: issue });
}

function usageCapped(accountId: string): ProblemAnswer {
  return typed(429, 'UsageCapExceeded', 'usage-capped', {
    detail: 'Usage cap exceeded: Monthly product cap',
    account_id: accountId,
    product_name: 'standard-basic',
    period: 'Monthly',
    scope: 'Product',
  });
}

function creditsDepleted(accountId: string): ProblemAnswer {
  return json(402, {
    title: 'CreditsDepleted',
    detail: `Your enrolled account [${accountId}] does not have any credits to fulfill this request.`,
    type: `${PROBLEM_BASE}credits`,
  });
}

/** How long clients should wait after the database could not serve. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Returns the failure of an error: that of a PipitError, `unavailable` for StorageUnavailable (recognized by name, as
 * this layer may not import the database), `internal` for everything else.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof PipitError) return error.failure;
  if (error instanceof Error && error.name === 'StorageUnavailable') {
    return { code: 'unavailable', retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  return { code: 'internal' };
}

/** Reports whether a failure is the server's fault. Such failures are logged once, where they are answered. */
export function isServerFault(failure: Failure): boolean {
  return failure.code === 'internal' || failure.code === 'unavailable';
}
