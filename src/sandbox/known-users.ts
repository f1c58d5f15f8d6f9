import { invalidRequest } from '../core/errors.js';
import { parseId, type UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Backend } from '../server/backend.js';
import { findUser, findUserByUsername, pageUserIds } from '../stores/users.js';
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

/** Returns the user with the lowest id. Throws a 400 if there is none. */
export async function requireFirstUser({ engine }: Pick<Backend, 'engine'>): Promise<User> {
  const [id] = await pageUserIds(engine, -1n as UserId, 1);
  const first = id === undefined ? undefined : await findUser(engine, id);
  if (first) return first;
  throw invalidRequest('username', [], 'The network has no user: add one with a world file');
}
