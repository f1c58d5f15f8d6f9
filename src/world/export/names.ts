import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Queryable } from '../../database/engine.js';
import { findUsers, pageUserIds } from '../../stores/users.js';

/** All users of a network, by id. */
export interface Names {
  readonly users: readonly User[];
  /** Returns the username of a user; undefined for a deleted one. */
  find(id: UserId): string | undefined;
  /** Reports whether a user has a subscription, and so writes long posts. */
  isSubscriber(id: UserId): boolean;
  /** Returns the username of a user, or the name that world files have for a deleted one. */
  refer(id: UserId): string;
  /** Returns the id of a user by username, in any case. */
  idOf(username: string): UserId | undefined;
  /** Returns the usernames of those users that exist. */
  findAll(ids: readonly UserId[]): string[];
}

const PAGE = 1_000;

/** Reads the names of all users. */
export async function readNames(db: Queryable): Promise<Names> {
  const users: User[] = [];
  for (let after = -1n as UserId; ;) {
    const ids = await pageUserIds(db, after, PAGE);
    const found = await findUsers(db, ids);
    users.push(...ids.flatMap((id) => found.get(id) ?? []));
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE) break;
    after = last;
  }
  const names = new Map(users.map(({ id, username }) => [id, username]));
  const subscribers = new Set(users.filter((user) => user.subscriptionType).map(({ id }) => id));
  const ids = new Map(users.map(({ id, username }) => [username.toLowerCase(), id]));
  return {
    users,
    isSubscriber: (id) => subscribers.has(id),
    refer: (id) => names.get(id) ?? `id:${id}`,
    idOf: (username) => ids.get(username.toLowerCase()),
    find: (id) => names.get(id),
    findAll: (ids) => ids.flatMap((id) => names.get(id) ?? []),
  };
}
