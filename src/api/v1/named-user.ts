import type { UserId } from '../../core/ids.js';
import type { FoundUser } from '../../views/v1-page.js';
import type { ApiContext } from '../context.js';
import type { ParamValues } from '../params/params.js';
import { idV1Param, textV1Param } from './params.js';
import { missingQuery } from './refusals.js';

/** The parameters that name one user. */
export const userParams = {
  user_id: idV1Param<UserId>('The user by id.'),
  screen_name: textV1Param('The user by username.', 'alice'),
};

type UserValues = ParamValues<typeof userParams>;

/**
 * Returns the user that the parameters name, of which the id takes precedence; without them the viewer. Throws if
 * nobody is named.
 */
export async function findNamedUser(
  { views }: Pick<ApiContext, 'views'>,
  params: UserValues,
  viewerId: UserId | undefined,
  other: UserId | undefined = viewerId,
): Promise<FoundUser> {
  const name = params.user_id ?? (params.screen_name && withoutAt(params.screen_name)) ?? other;
  if (name === undefined || name === '') throw missingQuery();
  const [found] = await views.usersV1({ names: [name], viewerId });
  return found ?? { visibility: undefined };
}

/** Returns a username without the at sign that some clients send. */
export function withoutAt(username: string): string {
  return username.trim().replace(/^@/, '');
}
