import { PipitError, type Failure } from '../../core/errors.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Visibility } from '../../core/visibility.js';
import type { FoundUser } from '../../views/v1-page.js';

/** The numbered refusals of v1.1 (docs/api/v1.md#errors). */

export function refusedV1(number: number, status: number, detail: string): PipitError {
  return new PipitError({ code: 'refused-v1', number, status, detail });
}

export const noSuchStatus = () => refusedV1(144, 404, 'No status found with that ID.');
export const noSuchUser = () => refusedV1(50, 404, 'User not found.');
export const missingQuery = () => refusedV1(25, 400, 'Query parameters are missing.');
export const suspendedUser = () => refusedV1(63, 403, 'User has been suspended.');
const hiddenStatus = () => refusedV1(179, 403, 'Sorry, you are not authorized to see this status.');

/** Throws unless the viewer may see the post. */
export function requireVisibleStatus(visibility: Visibility | undefined): void {
  if (visibility === 'visible') return;
  if (visibility === undefined) throw noSuchStatus();
  throw visibility === 'suspended' ? suspendedUser() : hiddenStatus();
}

/** Returns the id of a user whose posts and follows the viewer may see. Throws for others. */
export function requireVisibleActivity({
  id,
  visibility,
  activity,
}: FoundUser): NonNullable<FoundUser['id']> {
  if (id === undefined || visibility === undefined) throw noSuchUser();
  if (visibility === 'suspended') throw suspendedUser();
  if (activity !== 'visible') throw refusedV1(179, 401, 'Not authorized.');
  return id;
}

/** The refusals of services by their texts. */
const BY_DETAIL = new Map<string, () => PipitError>([
  [REFUSED.duplicate, () => refusedV1(187, 403, 'Status is a duplicate.')],
  [REFUSED.tooLong, () => refusedV1(186, 403, 'Tweet needs to be a bit shorter.')],
  [REFUSED.replyTarget, () => refusedV1(385, 403, REFUSED.replyTarget)],
  [
    REFUSED.replyLimited,
    () => refusedV1(433, 403, 'The original Tweet author restricted who can reply to this Tweet.'),
  ],
  [REFUSED.deletion, () => refusedV1(183, 403, "You may not delete another user's status.")],
  [REFUSED.selfFollow, () => refusedV1(158, 403, "You can't follow yourself.")],
  [REFUSED.mediaIds, () => refusedV1(324, 400, 'The validation of media ids failed.')],
]);

/** Runs a service and gives its refusals the numbers of v1.1. `notPermitted` is the refusal over a block. */
export async function withV1Refusals<T>(
  run: () => Promise<T>,
  notPermitted: () => PipitError = () => refusedV1(87, 403, REFUSED.notPermitted),
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PipitError)) throw error;
    const [detail = ''] = detailsOf(error.failure);
    const refusal = detail === REFUSED.notPermitted ? notPermitted : BY_DETAIL.get(detail);
    throw refusal ? refusal() : error;
  }
}

function detailsOf(failure: Failure): readonly string[] {
  if (failure.code === 'forbidden') return [failure.detail];
  return failure.code === 'invalid-request' ? failure.violations.map(({ message }) => message) : [];
}
