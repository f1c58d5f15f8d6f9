import type { ResourceType } from '../../core/errors.js';

/** An entry of `errors` beside `data` in a 200 (docs/api/errors.md#partial-errors). */
export interface PartialError {
  readonly title: string;
  readonly detail: string;
  readonly type: string;
  readonly resource_type: ResourceType;
  readonly parameter: string;
  readonly resource_id: string;
  readonly value?: string;
  readonly section?: 'data' | 'includes';
  readonly field?: string;
}

/** Which id was asked for where: `parameter` names the source of the id, a request parameter or an expansion's path. */
export interface Wanted {
  readonly type: ResourceType;
  readonly parameter: string;
  readonly value: string;
  readonly section: 'data' | 'includes';
}

const PROBLEMS = 'https://api.twitter.com/2/problems/';

export function notFoundError(wanted: Wanted): PartialError {
  return {
    value: wanted.value,
    detail: `Could not find ${wanted.type} with ${wanted.parameter}: [${wanted.value}].`,
    title: 'Not Found Error',
    resource_type: wanted.type,
    parameter: wanted.parameter,
    resource_id: wanted.value,
    type: `${PROBLEMS}resource-not-found`,
  };
}

export function notAuthorizedError(wanted: Wanted): PartialError {
  const noun = wanted.type === 'tweet' ? 'Tweet' : wanted.type;
  return {
    value: wanted.value,
    detail: `Sorry, you are not authorized to see the ${noun} with ${wanted.parameter}: [${wanted.value}].`,
    title: 'Authorization Error',
    resource_type: wanted.type,
    parameter: wanted.parameter,
    resource_id: wanted.value,
    section: wanted.section,
    type: `${PROBLEMS}not-authorized-for-resource`,
  };
}

/** The type is indeed resource-not-found, as recorded. */
export function suspendedError(wanted: Wanted): PartialError {
  return {
    value: wanted.value,
    detail: `User has been suspended: [${wanted.value}].`,
    title: 'Forbidden',
    resource_type: wanted.type,
    parameter: wanted.parameter,
    resource_id: wanted.value,
    type: `${PROBLEMS}resource-not-found`,
  };
}

/** One entry a leaf of a private field, with the recorded space before the colon. */
export function fieldNotAuthorizedError(postId: string, field: string, parameter: string): PartialError {
  return {
    value: postId,
    detail: `Sorry, you are not authorized to access '${field}' on the Tweet with ${parameter} : [${postId}].`,
    title: 'Field Authorization Error',
    resource_type: 'tweet',
    parameter,
    resource_id: postId,
    section: 'data',
    field,
    type: `${PROBLEMS}not-authorized-for-field`,
  };
}
