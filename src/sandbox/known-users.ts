import { invalidRequest } from '../core/errors.js';
import { parseId, type UserId } from '../core/ids.js';
import { findUser, findUserByUsername } from '../stores/users.js';
import type { Sandbox } from './sandbox.js';

/** Returns the id of a user that is named by id or username. Throws a 400 for `parameter` if there is none. */
export async function requireUserId(
  { server }: Pick<Sandbox, 'server'>,
  parameter: string,
  asked: string,
): Promise<UserId> {
  const { engine } = server.pipit.backend;
  const userId = parseId<UserId>(asked);
  const found =
    (userId === undefined ? undefined : await findUser(engine, userId)) ??
    (await findUserByUsername(engine, asked.replace(/^@/, '')));
  if (found) return found.id;
  throw invalidRequest(parameter, [asked], 'There is no such user');
}
