import type { MediaId, UserId } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import { canBeCombined } from '../services/posts/attachments.js';
import { referencesIn, type Known } from './known.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import type { Check } from './pass.js';
import type { AuthoredVersion } from './post-entry.js';

/** Returns the uses of media by posts. Several versions of a post that show a medium are one use. */
export function mediaUsesOf(versions: readonly AuthoredVersion[]) {
  const first = new Map<string, AuthoredVersion>();
  return referencesIn(versions, 'media').flatMap(({ entry, name, path }) => {
    const key = `${entry.post.id} ${name}`;
    const other = first.get(key) ?? entry;
    first.set(key, other);
    return other === entry ? [{ by: entry.author, name: mediaIdOfKey(name), path }] : [];
  });
}

/** Returns the author of the post that shows each medium. */
export function mediaAuthors(
  versions: readonly AuthoredVersion[],
  known: Known,
): ReadonlyMap<MediaId, UserId> {
  return new Map(mediaUsesOf(versions).map(({ by, name }) => [name, known.userId(by)]));
}

/** Checks that media belong to the author and are used by one post only, in any of its versions. */
export async function checkMediaOfPosts(
  versions: readonly AuthoredVersion[],
  media: readonly WorldMedia[],
  { known, faults }: Check,
): Promise<void> {
  const uses = mediaUsesOf(versions);
  await known.requireMedia(uses, faults);
  checkMediaKinds(versions, media, { known, faults });
  checkMediaUses(uses, media, faults);
}

/** Checks that the attachments of one post can be combined (docs/api/posts.md#attachments). */
function checkMediaKinds(
  versions: readonly AuthoredVersion[],
  media: readonly WorldMedia[],
  { known, faults }: Check,
): void {
  const declared = new Map(
    media.map(({ media_key: mediaKey, type }) => [mediaIdOfKey(mediaKey), { mediaKey, type }]),
  );
  for (const { media: keys = [], path } of versions) {
    const ids = keys.map(mediaIdOfKey);
    const shown = ids.flatMap((id) => known.lookups.media.get(id) ?? declared.get(id) ?? []);
    if (!canBeCombined(shown))
      faults.add(
        `${path}.media`,
        'must be 1 to 4 photos, one animated_gif or one video, and none for messages (5_) or profiles (19_)',
      );
  }
}
