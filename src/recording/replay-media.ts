import { randomBytes } from 'node:crypto';
import { asArray, asObject, type WireObject } from '../archive/wire-json.js';
import type { ArchivedPosts } from './read-archive.js';
import type { ReplayTarget } from './replay-target.js';
import { mediaEntry } from './world-entries.js';

/** A post has so many photos, or one of anything else (docs/api/posts.md#attachments). */
const MAX_PHOTOS = 4;

/** Returns the media of a post that the archives have and a post may have together. */
export function mediaOf({ attachments }: WireObject, { media }: Pick<ArchivedPosts, 'media'>): WireObject[] {
  const keys = asArray(asObject(attachments)?.media_keys);
  const found = keys.map((key) => media.get(String(key))).filter((each) => each !== undefined);
  const other = found.find(({ type }) => type !== 'photo');
  return other ? [other] : found.slice(0, MAX_PHOTOS);
}

/**
 * Adds media for one post of their owner, under new ids: an archive may be replayed again, and media belong to one post.
 * Returns the ids; none if the network refuses one.
 */
export async function addMedia(
  target: Pick<ReplayTarget, 'add'>,
  media: readonly WireObject[],
  owner: string | undefined,
): Promise<string[]> {
  if (media.length === 0 || owner === undefined) return [];
  const ids = media.map(() => newId());
  const entries = media.map((medium, n) => {
    const [kind] = String(medium.media_key).split('_');
    return { ...mediaEntry(medium), media_key: `${kind}_${ids[n]}`, owner };
  });
  return (await target.add({ media: entries })) ? ids : [];
}

/** Returns a random id of 62 bits. */
function newId(): string {
  return String((randomBytes(8).readBigUInt64BE() >> 2n) | 1n);
}
