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
  const detail = `Could not find ${wanted.type} with ${wanted.parameter}: [${wanted.value}].`;
  return errorOf(wanted, 'Not Found Error', detail, 'resource-not-found');
}

export function notAuthorizedError(wanted: Wanted): PartialError {
  const noun = wanted.type === 'tweet' ? 'Tweet' : wanted.type;
  const detail = `Sorry, you are not authorized to see the ${noun} with ${wanted.parameter}: [${wanted.value}].`;
  const { section } = wanted;
  return errorOf(wanted, 'Authorization Error', detail, 'not-authorized-for-resource', { section });
}

/** The type is indeed resource-not-found, as recorded. */
export function suspendedError(wanted: Wanted): PartialError {
  return errorOf(wanted, 'Forbidden', `User has been suspended: [${wanted.value}].`, 'resource-not-found');
}

/** One entry a leaf of a private field, with the recorded space before the colon. */
export function fieldNotAuthorizedError(postId: string, field: string, parameter: string): PartialError {
  const detail = `Sorry, you are not authorized to access '${field}' on the Tweet with ${parameter} : [${postId}].`;
  const post = { type: 'tweet', parameter, value: postId } as const;
  const place = { section: 'data', field } as const;
  return errorOf(post, 'Field Authorization Error', detail, 'not-authorized-for-field', place);
}

function errorOf(
  { type, parameter, value }: Omit<Wanted, 'section'>,
  title: string,
  detail: string,
  problem: string,
  place: Pick<PartialError, 'section' | 'field'> = {},
): PartialError {
  const resource = { resource_type: type, parameter, resource_id: value };
  return { value, detail, title, ...resource, ...place, type: PROBLEMS + problem };
}
