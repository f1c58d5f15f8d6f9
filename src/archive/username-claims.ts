import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Tx } from '../database/engine.js';
import type { ImportedObject } from '../stores/import-rows.js';
import { findImportedObjects } from '../stores/imports.js';
import { findUser, findUserIds, renameUser } from '../stores/users.js';
import type { UserSighting } from './sighting.js';

/**
 * Assigns usernames. A username may pass between accounts over the years: the account seen with it last gets it,
 * others get a substitute. Accounts created here always keep theirs.
 */
export type UsernameClaims = ReturnType<typeof createUsernameClaims>;

/**
 * Creates the claims for one batch. `holders` maps lower-case usernames of the batch to their current users;
 * `written` contains the users written so far.
 */
export function createUsernameClaims(
  tx: Tx,
  holders: ReadonlyMap<string, UserId>,
  written: ReadonlyMap<bigint, ImportedObject>,
) {
  const current = new Map(holders);
  const displaced = new Set<UserId>();

  /** Reports whether the holder came from an import and was not seen later or at the same known time. */
  const yields = async (holderId: UserId, observedAtMs: number): Promise<boolean> => {
    const holder = written.get(holderId) ?? (await findImportedObjects(tx, 'user', [holderId])).get(holderId);
    if (!holder) return false;
    return holder.observedAtMs < observedAtMs || (holder.observedAtMs === 0 && observedAtMs === 0);
  };

  const displace = async (id: UserId): Promise<void> => {
    const holder = await findUser(tx, id);
    if (holder) await renameUser(tx, holder, await substitute(tx, id));
    displaced.add(id);
  };

  /** Returns the username for a user who is not stored yet. */
  const claim = async ({ user, observedAtMs }: UserSighting): Promise<string> => {
    const key = user.username.toLowerCase();
    const holderId = current.get(key);
    if (holderId !== undefined && holderId !== user.id) {
      if (!(await yields(holderId, observedAtMs))) return substitute(tx, user.id);
      await displace(holderId);
    }
    current.set(key, user.id);
    return user.username;
  };

  return {
    claim,
    /** Renames a stored user to the sighting's username, if possible; returns false when nothing changed. */
    rename: async (user: User, sighting: UserSighting): Promise<boolean> => {
      if (user.username === sighting.user.username && !displaced.has(user.id)) return false;
      const stored = await findUser(tx, user.id);
      const username = await claim(sighting);
      if (stored === undefined || stored.username === username) return false;
      await renameUser(tx, stored, username);
      const oldKey = stored.username.toLowerCase();
      if (oldKey !== username.toLowerCase()) current.delete(oldKey);
      return true;
    },
  };
}

/** Returns a free username that matches the wire's pattern. It is derived from the id and thus almost always free. */
async function substitute(tx: Tx, id: UserId): Promise<string> {
  for (let username = `_${id.toString(36)}`; ; username += '_') {
    const holder = (await findUserIds(tx, [username])).get(username);
    if (holder === undefined || holder === id) return username;
  }
}
