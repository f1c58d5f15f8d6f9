import { parseId, type AppId, type UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { App } from '../stores/apps.js';
import type { Queryable } from '../database/engine.js';
import { CommandRefused } from './command.js';

/** The user with this username, with or without an `@`. Throws CommandRefused when there is none. */
export async function requireUser(db: Queryable, username: string): Promise<User> {
  const { findUserByUsername } = await import('../stores/users.js');
  const name = username.replace(/^@/, '');
  const user = await findUserByUsername(db, name);
  if (!user) throw new CommandRefused(`there is no user @${name}`);
  return user;
}

/**
 * Whose a new app is when nobody was named: the owner that the first start made, or else the only user. Throws
 * CommandRefused when there is no telling.
 */
export async function requireDefaultOwner(db: Queryable): Promise<User> {
  const { OWNER } = await import('../server/first-start.js');
  const { findUser, findUserByUsername, pageUserIds } = await import('../stores/users.js');
  const firstOwner = await findUserByUsername(db, OWNER);
  if (firstOwner) return firstOwner;
  const [id, ...others] = await pageUserIds(db, 0n as UserId, 2);
  const only = id === undefined || others.length > 0 ? undefined : await findUser(db, id);
  if (only) return only;
  const why = id === undefined ? 'there is no user: pipit user create makes one' : 'there are several users';
  throw new CommandRefused(`name the owner with --owner <username>; ${why}`, 2);
}

/** An app's id as typed. Throws CommandRefused for what is none. */
export function appIdOf(text: string): AppId {
  const id = parseId<AppId>(text);
  if (id === undefined) throw new CommandRefused(`"${text}" is no app id: pipit app list shows them`, 2);
  return id;
}

/** What was found by the id; throws CommandRefused when nothing was. */
export function requireApp<T>(found: T | undefined, id: AppId): T {
  if (found === undefined) throw new CommandRefused(`there is no app ${id}`);
  return found;
}

export async function ownerName(db: Queryable, app: App): Promise<string> {
  const { findUser } = await import('../stores/users.js');
  return (await findUser(db, app.ownerId))?.username ?? String(app.ownerId);
}
