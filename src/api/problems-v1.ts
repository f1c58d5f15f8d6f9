import type { Failure } from '../core/errors.js';
import { JSON_TYPE, type ProblemAnswer, problemOf } from './problems.js';

/** The older form of errors, `{"errors":[{"code","message"}]}`, for `/1.1/` paths (reference/errors.md section 5). */
export function v1ProblemOf(failure: Failure, nowMs: number): ProblemAnswer {
  const { status, headers } = problemOf(failure, nowMs);
  const { code, message } = v1CodeOf(failure);
  return { status, headers, contentType: JSON_TYPE, body: { errors: [{ code, message }] } };
}

/** True for paths whose errors have the older form. */
export function hasV1Errors(path: string): boolean {
  return path.startsWith('/1.1/');
}

interface V1Code {
  readonly code: number;
  readonly message: string;
}

function v1CodeOf(failure: Failure): V1Code {
  switch (failure.code) {
    case 'invalid-request':
      return { code: 324, message: failure.violations.map((violation) => violation.message).join(' ') };
    case 'payload-too-large':
      return { code: 324, message: 'The request body is too large.' };
    case 'unauthorized':
      return unauthorized(failure.reason);
    case 'unsupported-authentication':
      return { code: 220, message: 'Your credentials do not allow access to this resource.' };
    case 'research-track-required':
    case 'scope-missing':
      return { code: 87, message: 'Client is not permitted to perform this action.' };
    case 'permission-missing':
      return { code: 261, message: 'Application cannot perform write actions.' };
    case 'forbidden':
    case 'conflict':
      return { code: 87, message: failure.detail };
    case 'resource-not-found':
    case 'route-not-found':
    case 'method-not-allowed':
      return { code: 34, message: 'Sorry, that page does not exist.' };
    case 'rate-limited':
    case 'usage-capped':
      return { code: 88, message: 'Rate limit exceeded.' };
    case 'unavailable':
      return { code: 130, message: 'Over capacity.' };
    case 'internal':
      return { code: 131, message: 'Internal error.' };
  }
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
