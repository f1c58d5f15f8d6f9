/** Bodies of failed requests and entries of partial errors (docs/api/errors.md). */

export const PROBLEMS = 'https://api.twitter.com/2/problems/';

export const INVALID_REQUEST = {
  title: 'Invalid Request',
  detail: 'One or more parameters to your request was invalid.',
  type: `${PROBLEMS}invalid-request`,
} as const;

/** Returns the body of a 400 with the given violations: parameters and message of each. */
export function invalidRequest(
  ...violations: readonly (readonly [
    parameters: Readonly<Record<string, readonly string[]>>,
    message: string,
  ])[]
): unknown {
  return {
    errors: violations.map(([parameters, message]) => ({ parameters, message })),
    ...INVALID_REQUEST,
  };
}

/** Returns the body of a 403 for a refused action (docs/api/errors.md#refused-actions). */
export function refusal(detail: string): unknown {
  return { title: 'Forbidden', detail, type: 'about:blank', status: 403 };
}

/**
 * The body of a 403 for an OAuth 2.0 token of an app without the permission (docs/api/authentication.md#permissions).
 */
export const PERMISSION_MISSING = refusal(
  'Your client app is not configured with the appropriate app permissions for this endpoint.',
);

/** Returns the body of a 404 for a write whose target does not exist (docs/api/errors.md#problems). */
export function missingTarget(type: string, parameter: string, id: string): unknown {
  return {
    title: 'Not Found Error',
    detail: `Could not find ${type} with ${parameter}: [${id}].`,
    type: `${PROBLEMS}resource-not-found`,
    status: 404,
    resource_type: type,
    parameter,
    value: id,
    resource_id: id,
  };
}

/** Returns an entry of `errors` (docs/api/errors.md#partial-errors). */
export function notFound(type: string, parameter: string, id: string): unknown {
  return {
    value: id,
    detail: `Could not find ${type} with ${parameter}: [${id}].`,
    title: 'Not Found Error',
    resource_type: type,
    parameter,
    resource_id: id,
    type: `${PROBLEMS}resource-not-found`,
  };
}

export function suspended(parameter: string, name: string): unknown {
  return {
    value: name,
    detail: `User has been suspended: [${name}].`,
    title: 'Forbidden',
    resource_type: 'user',
    parameter,
    resource_id: name,
    type: `${PROBLEMS}resource-not-found`,
  };
}

export function notAuthorized(parameter: string, id: string, section: 'data' | 'includes'): unknown {
  return {
    value: id,
    detail: `Sorry, you are not authorized to see the Tweet with ${parameter}: [${id}].`,
    title: 'Authorization Error',
    resource_type: 'tweet',
    parameter,
    resource_id: id,
    section,
    type: `${PROBLEMS}not-authorized-for-resource`,
  };
}

/** Returns the entry for one member of a private metric; the space before the colon is part of the original text. */
export function fieldRefused(parameter: string, id: string, field: string, section = 'data'): unknown {
  return {
    value: id,
    detail: `Sorry, you are not authorized to access '${field}' on the Tweet with ${parameter} : [${id}].`,
    title: 'Field Authorization Error',
    resource_type: 'tweet',
    parameter,
    resource_id: id,
    section,
    field,
    type: `${PROBLEMS}not-authorized-for-field`,
  };
}
