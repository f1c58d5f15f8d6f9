import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import { toJson } from '../database/decode.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** The fields of a profile that its user can edit. */
export type Profile = Pick<User, 'name' | 'description' | 'location' | 'url' | 'entities'>;

/** Updates a profile and nothing else. Returns false if there is no such user. */
export async function changeProfile(tx: Tx, id: UserId, profile: Profile): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE users SET name = ${profile.name}, description = ${profile.description},
      location = ${profile.location}, url = ${profile.url}, entities = ${toJson(profile.entities)}
    WHERE id = ${id}`);
  return changed === 1;
}

/** Updates who may tag and message a user. Returns false if there is no such user. */
export async function changeContact(
  tx: Tx,
  id: UserId,
  { allowsPhotoTagging, receivesDms }: Pick<User, 'allowsPhotoTagging' | 'receivesDms'>,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE users SET allows_photo_tagging = ${allowsPhotoTagging}, receives_dms = ${receivesDms}
    WHERE id = ${id}`);
  return changed === 1;
}
