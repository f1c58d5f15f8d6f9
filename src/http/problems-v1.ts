import type { Failure, Violation } from '../core/errors.js';
import { JSON_TYPE, type ProblemAnswer, problemOf } from './problems.js';

const ESSENTIAL_ACCESS =
  'You currently have Essential access which includes access to Twitter API v2 endpoints only. ' +
  "If you need access to this endpoint, you'll need to apply for Elevated access via the Developer Portal.";

/**
 * Returns the older form of errors, `{"errors":[{"code","message"}]}`, for `/1.1/` paths
 * (docs/api/errors.md#v11-errors).
 */
export function v1ProblemOf(failure: Failure, nowMs: number): ProblemAnswer {
  const { status: newerStatus, headers } = problemOf(failure, nowMs);
  const { code, message, status = newerStatus } = v1CodeOf(failure);
  return { status, headers, contentType: JSON_TYPE, body: { errors: [{ code, message }] } };
}

/** Reports whether errors of a path have the older form. */
export function hasV1Errors(path: string): boolean {
  return path.startsWith('/1.1/');
}

interface V1Code {
  readonly code: number;
  readonly message: string;
  /** If different from the newer form. */
  readonly status?: number;
}

const NO_SUCH_PAGE: V1Code = { code: 34, message: 'Sorry, that page does not exist.' };
const NO_SUCH_MEDIA: V1Code = { code: 325, message: 'A media id was not found.', status: 400 };

function v1CodeOf(failure: Failure): V1Code {
  switch (failure.code) {
    case 'invalid-request':
      return invalidRequest(failure.violations);
    case 'payload-too-large':
      return { code: 324, message: 'The request body is too large.' };
    case 'request-timeout':
      return { code: 324, message: 'The request body did not go on.' };
    case 'unsupported-encoding':
      return { code: 324, message: `The content-encoding [${failure.encoding}] is not supported.` };
    case 'unauthorized':
      return unauthorized(failure.reason);
    case 'unsupported-authentication':
      return { code: 220, message: 'Your credentials do not allow access to this resource.' };
    case 'research-track-required':
    case 'scope-missing':
      return { code: 87, message: 'Client is not permitted to perform this action.' };
    case 'access-level-too-low':
      return { code: 453, message: ESSENTIAL_ACCESS };
    case 'permission-missing':
      return { code: 261, message: 'Application cannot perform write actions.' };
    case 'forbidden':
    case 'conflict':
    case 'rule-cap-exceeded':
    case 'stream-refused':
      return { code: 87, message: failure.detail };
    case 'refused-v1':
      return { code: failure.number, message: failure.detail, status: failure.status };
    case 'resource-not-found':
      return failure.resource.resourceType === 'media' ? NO_SUCH_MEDIA : NO_SUCH_PAGE;
    case 'route-not-found':
    case 'not-implemented':
    case 'method-not-allowed':
      return NO_SUCH_PAGE;
    case 'rate-limited':
    case 'usage-capped':
    case 'credits-depleted':
      return { code: 88, message: 'Rate limit exceeded.' };
    case 'unavailable':
      return { code: 130, message: 'Over capacity.' };
    case 'internal':
      return { code: 131, message: 'Internal error.' };
  }
}

/** Matches violations for a missing parameter or member of a JSON body. */
const MISSING = /^(?:\$\.)?(\S+?)(?: parameter is missing\.|: is missing but it is required)$/;

function invalidRequest(violations: readonly Violation[]): V1Code {
  const missing = MISSING.exec(violations[0]?.message ?? '')?.[1];
  if (missing !== undefined) return { code: 38, message: `${missing} parameter is missing.`, status: 403 };
  return { code: 324, message: violations.map(({ message }) => message).join(' ') };
}

function unauthorized(reason: 'timestamp-out-of-bounds' | 'invalid-token' | undefined): V1Code {
  switch (reason) {
    case 'timestamp-out-of-bounds':
      return { code: 135, message: 'Timestamp out of bounds.' };
    case 'invalid-token':
      return { code: 89, message: 'Invalid or expired token.' };
    case undefined:
      return { code: 32, message: 'Could not authenticate you.' };
  }
}
