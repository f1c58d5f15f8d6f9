import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import { toJson } from '../database/decode.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** What users say about themselves. */
export type Profile = Pick<User, 'name' | 'description' | 'location' | 'url' | 'entities'>;

/** Changes a profile and nothing else; false when there is no such user. */
export async function changeProfile(tx: Tx, id: UserId, profile: Profile): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE users SET name = ${profile.name}, description = ${profile.description},
      location = ${profile.location}, url = ${profile.url}, entities = ${toJson(profile.entities)}
    WHERE id = ${id}`);
  return changed === 1;
}

/** Changes who may tag and message a user; false when there is no such user. */
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
