import { parseId, type AppId, type UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { App } from '../stores/apps.js';
import type { Queryable } from '../database/engine.js';
import type { Backend } from '../server/backend.js';
import { CommandRefused, type CommandIo, type CommonOptions, type Result } from './command.js';
import { databaseAction } from './on-database.js';

/** Returns the user with this username, with or without `@`. Throws CommandRefused if there is none. */
export async function requireUser(db: Queryable, username: string): Promise<User> {
  const { findUserByUsername } = await import('../stores/users.js');
  const name = username.replace(/^@/, '');
  const user = await findUserByUsername(db, name);
  if (!user) throw new CommandRefused(`there is no user @${name}`);
  return user;
}

/** The options of a command that `--lift` reverses. */
export interface LiftOptions extends CommonOptions {
  readonly lift?: true;
}

/** Returns the action of a command on the user that its argument names. */
export function userAction<O extends CommonOptions>(
  io: CommandIo,
  work: (backend: Backend, user: User, options: O) => Promise<Result>,
) {
  return databaseAction(io, async (backend, options: O, username: string) =>
    work(backend, await requireUser(backend.engine, username), options),
  );
}

/** Returns the owner created at the first start, or else the only user. Throws CommandRefused if ambiguous. */
export async function requireDefaultOwner(db: Queryable): Promise<User> {
  const { OWNER } = await import('../server/first-start.js');
  const { findUser, findUserByUsername, pageUserIds } = await import('../stores/users.js');
  const firstOwner = await findUserByUsername(db, OWNER);
  if (firstOwner) return firstOwner;
  const [id, ...others] = await pageUserIds(db, 0n as UserId, 2);
  const only = id === undefined || others.length > 0 ? undefined : await findUser(db, id);
  if (only) return only;
  const why =
    id === undefined ? 'there is no user: pipit user create creates one' : 'there are several users';
  throw new CommandRefused(`specify the owner with --owner <username>; ${why}`, 2);
}

/** Parses an id. Throws CommandRefused for other text, which is not `what`. */
export function readId<T extends bigint>(text: string, what: string): T {
  const id = parseId<T>(text);
  if (id === undefined) throw new CommandRefused(`"${text}" is not ${what}`, 2);
  return id;
}

/** Returns the result of a command on an account: its id and name with `members`. */
export function accountResult({ id, username }: User, members: object, text: string): Result {
  return { json: { id: String(id), username, ...members }, text };
}

/** Returns what `find` finds for the id of an app. Throws CommandRefused for other text, or if there is no app. */
export async function requireApp<T>(text: string, find: (id: AppId) => Promise<T | undefined>): Promise<T> {
  const id = readId<AppId>(text, 'an app id: pipit app list shows them');
  const found = await find(id);
  if (found === undefined) throw new CommandRefused(`there is no app ${id}`);
  return found;
}

export async function ownerName(db: Queryable, app: App): Promise<string> {
  const { findUser } = await import('../stores/users.js');
  return (await findUser(db, app.ownerId))?.username ?? String(app.ownerId);
}
