import type { ResourceType } from '../../core/errors.js';
import type { Visibility } from '../../core/visibility.js';

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

/** The part of a request that entries name: the parameter with the ids, and how it spelled them. */
export interface Asking {
  /** The request parameter with the ids, for error entries; if absent, hidden objects are omitted. */
  readonly parameter?: string;
  /** Returns an id as sent in the request (`0001`), for error entries; default: without leading zeros. */
  readonly asSent?: (id: bigint) => string;
}

/** Returns what entries say of an object that a request asks for, by an id or as it is. */
export function wantedOf(
  type: ResourceType,
  { parameter = 'id', asSent = String }: Asking,
  id: bigint | string,
): Wanted {
  return { type, parameter, value: typeof id === 'string' ? id : asSent(id), section: 'data' };
}

/** Returns what entries say of an object that an expansion leads to. */
export function missing(type: ResourceType, parameter: string, value: string): Wanted {
  return { type, parameter, value, section: 'includes' };
}

/** The prefix of problem types (docs/api/errors.md). */
export const PROBLEMS = 'https://api.twitter.com/2/problems/';

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

/** Returns the entry for an object with this visibility, undefined if it is not stored; none if it is visible. */
export function hiddenError(wanted: Wanted, visibility: Visibility | undefined): PartialError | undefined {
  switch (visibility) {
    case 'visible':
      return undefined;
    case 'not-authorized':
      return notAuthorizedError(wanted);
    case 'suspended':
      return suspendedError(wanted);
    case undefined:
      return notFoundError(wanted);
  }
}

/** One entry a leaf of a private field, with the recorded space before the colon. */
export function fieldNotAuthorizedError(post: Wanted, field: string): PartialError {
  const { parameter, value, section } = post;
  const detail = `Sorry, you are not authorized to access '${field}' on the Tweet with ${parameter} : [${value}].`;
  return errorOf(post, 'Field Authorization Error', detail, 'not-authorized-for-field', { section, field });
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
