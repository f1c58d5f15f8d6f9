import type { MediaId } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import {
  PICTURE_KINDS,
  PICTURE_RULES,
  pictureKindOf,
  shownPictureUrl,
  type PictureKind,
} from '../core/profile-picture.js';
import { attachToProfile } from '../stores/media.js';
import { setPicture } from '../stores/users.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import type { Check, Load } from './pass.js';
import type { WorldUser } from './users.js';

/** The members of a user that name media, and those with addresses that stand in their place. */
const MEMBERS = {
  picture: ['profile_image', 'profile_image_url'],
  banner: ['profile_banner', 'profile_banner_url'],
} as const satisfies Readonly<Record<PictureKind, readonly [keyof WorldUser, keyof WorldUser]>>;

interface Use {
  readonly user: WorldUser;
  readonly kind: PictureKind;
  readonly by: string;
  readonly key: string;
  readonly name: MediaId;
  readonly path: string;
}

function usesOf(users: readonly WorldUser[]): Use[] {
  return users.flatMap((user) =>
    PICTURE_KINDS.flatMap((kind) => {
      const [member] = MEMBERS[kind];
      const key = user[member];
      const path = `${user.path}.${member}`;
      return key === undefined ? [] : [{ user, kind, by: user.username, key, name: mediaIdOfKey(key), path }];
    }),
  );
}

/** Checks that users have pictures of their own, each for one user and with a file of this server. */
export async function checkProfilePictures(
  users: readonly WorldUser[],
  media: readonly WorldMedia[],
  { known, faults }: Check,
): Promise<void> {
  const uses = usesOf(users);
  await known.requireMedia(uses, faults);
  checkMediaUses(uses, media, faults);
  const urls = new Map(media.map((entry) => [entry.media_key, entry.url]));
  for (const { user, kind, key, name, path } of uses) {
    const [, address] = MEMBERS[kind];
    if (user[address] !== undefined)
      faults.add(`${user.path}.${address}`, `does not go with ${MEMBERS[kind][0]}`);
    if (pictureKindOf(key) !== kind)
      faults.add(path, `must be a media key that begins with ${PICTURE_RULES[kind].keyPrefix}_`);
    const isStored = known.lookups.media.get(name) !== undefined;
    const url = urls.get(key) ?? known.lookups.media.get(name)?.url ?? '';
    // The addresses of banners do not name a format.
    const isServed = kind === 'banner' ? /\/media\/.*\.jpg$/.test(url) : url.includes('/media/');
    const ending = kind === 'banner' ? ' and ends with .jpg' : '';
    if (!isServed && (urls.has(key) || isStored))
      faults.add(path, `must be a photo whose url begins with /media/${ending}`);
  }
}

/** Shows the pictures of new users on their profiles. */
export async function storeProfilePictures(users: readonly WorldUser[], load: Load): Promise<void> {
  const { tx, known, newUsers, faults } = load;
  for (const { user: entry, kind, name, path } of usesOf(users)) {
    const user = known.lookups.users.get(entry.id);
    const url = known.lookups.media.get(name)?.url;
    if (!newUsers.has(entry.id) || !user || url === undefined) continue;
    if (await attachToProfile(tx, name, user.id))
      await setPicture(tx, user, kind, { id: name, url: shownPictureUrl(kind, url) });
    else faults.add(path, 'is in use, or belongs to another user');
  }
}
