import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import * as v from '../core/validators.js';
import { Lookup, type Lookups } from '../stores/lookups.js';
import type { Load } from './pass.js';
import { idOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';

/**
 * What handles in a text meant when it was written, where they mean another user today: the id of the user, or nobody.
 * The links that the server added to the text use these usernames as well.
 */
export const handles = valuesOf(objectOf({ name: v.required(username), user_id: idOf<UserId>() }));
type Handles = v.ValueOf<typeof handles>;

/** Returns the lookups with which a text with these handles is composed. */
export async function lookupsWith(load: Load, given: Handles | undefined): Promise<Lookups> {
  const { lookups } = load.known;
  if (given === undefined) return lookups;
  const userIds = new Lookup<string, UserId>((names) => lookups.userIds.load(names));
  const users = new Lookup<UserId, User>((ids) => lookups.users.load(ids));
  for (const { name, user_id: id } of given) {
    userIds.set(name.toLowerCase(), id);
    if (id === undefined) continue;
    const user = (await lookups.users.load([id])).get(id);
    load.formerUsers.add(id);
    users.set(id, { ...(user ?? formerUser(id)), username: name });
  }
  return { ...lookups, userIds, users };
}

/** Returns a user who was deleted: only the id is known. */
function formerUser(id: UserId): User {
  return {
    id,
    username: '',
    name: '',
    createdAtMs: 0,
    description: '',
    protected: false,
    verified: false,
    allowsPhotoTagging: false,
    receivesDms: 'following',
    suspended: true,
  };
}
