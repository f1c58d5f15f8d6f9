import type { PostId, UserId } from '../core/ids.js';
import { PROFILE_LIMITS } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import {
  RECEIVES_DMS,
  SUBSCRIPTION_TYPES,
  USERNAME_PATTERN,
  VERIFIED_TYPES,
  type User,
} from '../core/user.js';
import * as v from '../core/validators.js';
import { passwordFaults } from '../services/accounts/account-rules.js';
import { profileEntities } from '../services/accounts/settings.js';
import { insertUsers, setPasswordHash, updateProfile } from '../stores/users.js';
import { ACCOUNT_MEMBERS, checkAccount, isHidden, storeAccountState } from './account-states.js';
import { quote, type WorldFaults } from './faults.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { mediaKey } from './media-key.js';
import { idOf, listOf, objectOf } from './readers.js';
import { worldTime } from './world-time.js';

/** The maximum length of a profile text: pages do not shorten it, and no client expects more. */
const MAX_PROFILE_TEXT = 1_000;

/** Longer than any hash of a password. */
const MAX_HASH = 500;

/** Reads a username. */
export const username = v.matching(USERNAME_PATTERN, {
  description: 'a username: 1 to 15 letters, digits and underscores',
});

/** Reads the name of a user who may have been deleted since: then `id:` and the id. */
export const anyUser = v.matching(/^([A-Za-z0-9_]{1,15}|id:[1-9][0-9]{0,18})$/, {
  description: 'a username, or id: and the id of a deleted user',
});

const user = objectOf({
  id: v.required(idOf<UserId>()),
  username: v.required(username),
  name: v.required(v.text({ min: 1, max: PROFILE_LIMITS.name })),
  password: v.text(),
  password_hash: v.text({ min: 1, max: MAX_HASH }),
  created_at: worldTime,
  description: v.text({ max: MAX_PROFILE_TEXT }),
  location: v.text({ max: MAX_PROFILE_TEXT }),
  url: v.text({ max: MAX_PROFILE_TEXT }),
  protected: v.boolean(),
  verified: v.boolean(),
  verified_type: v.oneOf(VERIFIED_TYPES),
  subscription_type: v.oneOf(SUBSCRIPTION_TYPES),
  profile_image_url: v.text({ max: MAX_PROFILE_TEXT }),
  profile_banner_url: v.text({ max: MAX_PROFILE_TEXT }),
  profile_image: mediaKey,
  profile_banner: mediaKey,
  pinned_post: idOf<PostId>(),
  allows_photo_tagging: v.boolean(),
  receives_dms: v.oneOf(RECEIVES_DMS),
  ...ACCOUNT_MEMBERS,
});
export const readUsers = listOf(user);
export type WorldUser = v.ValueOf<typeof user>;

/** Checks that each id has one username, in the file and in the database. */
export async function checkUsers(users: readonly WorldUser[], { known, faults }: Check): Promise<void> {
  requireUnique(users, 'id', (entry) => entry.id, faults);
  requireUnique(users, 'username', (entry) => entry.username.toLowerCase(), faults);
  await known.lookups.users.load(users.map((entry) => entry.id));
  await known.lookups.userIds.load(users.map((entry) => entry.username.toLowerCase()));
  const holders = users.map((entry) => known.findUserId(entry.username));
  for (const [index, entry] of users.entries()) {
    const stored = known.storedUser(entry.id);
    const holder = holders[index];
    checkPassword(entry, faults);
    checkAccount(entry, faults);
    if (stored && stored.username.toLowerCase() !== entry.username.toLowerCase())
      faults.add(`${entry.path}.id`, `is the id of @${stored.username} in the database`);
    else if (holder !== undefined && holder !== entry.id)
      faults.add(`${entry.path}.username`, `belongs to user ${holder} in the database`);
    else known.declareUser(entry.username, entry.id);
  }
}

/** Checks a password by the rules of sign-up. */
function checkPassword({ password, password_hash, username, path }: WorldUser, faults: WorldFaults): void {
  if (password !== undefined && password_hash !== undefined)
    faults.add(`${path}.password_hash`, 'does not go with password');
  if (password === undefined) return;
  for (const { message } of passwordFaults(password, username)) faults.add(`${path}.password`, message);
}

/** Checks that users pin only their own posts. Requires the posts of the file to be registered. */
export async function checkPinnedPosts(users: readonly WorldUser[], { known, faults }: Check): Promise<void> {
  const pins = referencesIn(users, 'pinned_post');
  await known.requirePosts(pins, faults);
  for (const pin of pins) {
    const authorId = known.post(pin.name)?.authorId;
    if (authorId !== undefined && authorId !== pin.entry.id)
      faults.add(pin.path, `post ${quote(String(pin.name))} is another user's`);
  }
}

/** Stores the users that are not in the database; stored users are unchanged. */
export async function storeUsers(
  users: readonly WorldUser[],
  load: Load,
  passwordHashes: ReadonlyMap<UserId, string>,
): Promise<void> {
  const { tx, known, newUsers, nowMs } = load;
  const missing = users.filter((entry) => !known.storedUser(entry.id));
  const stored = missing.map((entry) => asUser(entry, nowMs));
  const given = new Map(missing.map(({ id, password_hash: hash }) => [id, hash]));
  await insertUsers(tx, stored);
  load.added('users', stored.length);
  for (const entry of missing) await storeAccountState(entry.id, entry, load);
  for (const user of stored) {
    known.lookups.users.set(user.id, user);
    newUsers.add(user.id);
  }
  // Descriptions may mention users that follow later in the file.
  for (const user of stored) {
    const hash = passwordHashes.get(user.id) ?? given.get(user.id);
    if (hash !== undefined) await setPasswordHash(tx, user.id, hash);
    const entities = await profileEntities(known.lookups, user);
    if (entities) await updateProfile(tx, user.id, { ...user, entities });
  }
}

function asUser(entry: WorldUser, nowMs: number): User {
  return {
    id: entry.id,
    username: entry.username,
    name: entry.name,
    createdAtMs: entry.created_at?.at(nowMs) ?? timeOfId(entry.id) ?? nowMs,
    description: entry.description ?? '',
    location: entry.location,
    url: entry.url,
    profileImageUrl: entry.profile_image_url,
    profileBannerUrl: entry.profile_banner_url,
    protected: entry.protected ?? false,
    verified: entry.verified ?? false,
    verifiedType: entry.verified_type,
    subscriptionType: entry.subscription_type,
    pinnedPostId: entry.pinned_post,
    allowsPhotoTagging: entry.allows_photo_tagging ?? true,
    receivesDms: entry.receives_dms ?? 'following',
    suspended: isHidden(entry),
  };
}
