import type { Clock } from '../../core/clock.js';
import { parseId, type MediaId, type PostId, type UserId } from '../../core/ids.js';
import { shownMediaKeys, type Media } from '../../core/post.js';
import { mainNameOf, pictureKindOf } from '../../core/profile-picture.js';
import { postVisibility, type Viewer } from '../../core/visibility.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import type { Engine } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { findPost } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';

/** Unguessable links are given only to users who may see the media. */
type Audience = 'everyone' | 'link holders' | 'no one';

const ANONYMOUS: Viewer = { follows: new Set(), blockedBy: new Set() };

/**
 * Returns the stored file with this name, which anyone with its link may fetch: the main one of a picture for a size that
 * is not stored. It is public when everyone may see the media, so that shared caches may store it. Returns undefined when
 * there is none, and when its media are no longer visible: the post or message was deleted, the upload expired, or the
 * account is suspended or deleted.
 */
export async function findServedFile(
  { engine, blobs, clock }: { readonly engine: Engine; readonly blobs: BlobStore; readonly clock: Clock },
  name: string,
) {
  const id = parseId<MediaId>(name.split('/', 1)[0] ?? '');
  const media = id === undefined ? undefined : (await findMedia(engine, [id])).get(id);
  const audience = media ? await audienceOf(engine, media, clock()) : 'no one';
  if (audience === 'no one') return undefined;
  const isPublic = audience === 'everyone';
  for (const stored of media ? namesFor(media, name) : []) {
    const sizeBytes = await blobs.findSizeBytes(stored);
    if (sizeBytes !== undefined) return { name: stored, sizeBytes, isPublic };
  }
  return undefined;
}

/** Returns the names of the files to send, best first: pictures of profiles that were not cut here have no sizes. */
function namesFor(media: Media, name: string): string[] {
  const main = pictureKindOf(media.mediaKey) === undefined ? undefined : mainNameOf(name);
  return main === undefined ? [name] : [name, main];
}

async function audienceOf(engine: Engine, media: Media, nowMs: number): Promise<Audience> {
  if (media.attachedTo === undefined) return audienceOfUnused(engine, media, nowMs);
  if (pictureKindOf(media.mediaKey) !== undefined)
    return audienceOfProfile(engine, media.attachedTo as UserId);
  const post = await findPost(engine, media.attachedTo as PostId);
  // Media of a message stay visible to the other participants, whatever happens to the sender.
  if (!post || !shownMediaKeys(post).includes(media.mediaKey)) return 'link holders';
  const accounts = await findAccountStates(engine, [post.authorId]);
  switch (postVisibility(ANONYMOUS, post, undefined, accounts)) {
    case 'visible':
      return 'everyone';
    case 'not-authorized':
      return 'link holders';
    case 'suspended':
      return 'no one';
  }
}

/** Profiles are public, also of protected accounts. */
async function audienceOfProfile(engine: Engine, userId: UserId): Promise<Audience> {
  const user = (await findAccountStates(engine, [userId])).get(userId);
  return user && !user.suspended ? 'everyone' : 'no one';
}

/** The uploader may view media before they are used. */
async function audienceOfUnused(engine: Engine, media: Media, nowMs: number): Promise<Audience> {
  const { ownerId, expiresAtMs = Infinity } = media;
  if (expiresAtMs <= nowMs || ownerId === undefined) return 'no one';
  const owner = (await findAccountStates(engine, [ownerId])).get(ownerId);
  return owner && !owner.suspended ? 'link holders' : 'no one';
}
