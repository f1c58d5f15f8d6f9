import { normalizePostText } from '../core/post-text/normalize.js';
import { mediaIdOfKey, type Post } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { insertScrub } from '../stores/posts.js';
import type { Load } from './pass.js';
import type { WorldPost } from './post-entry.js';
import type { WorldVersion } from './version-entry.js';

/** Returns what one version of a post has of its own. */
export function versionDraft(
  entry: WorldVersion,
  post: WorldPost,
  { known, nowMs }: Pick<Load, 'known' | 'nowMs'>,
  writer: PostWriter,
) {
  return {
    id: entry.id,
    createdAtMs: createdAt(entry, nowMs),
    typed: writer.read(normalizePostText(entry.text ?? ''), entry.lang),
    source: entry.source,
    typedHandlesOnly: post.typed_handles_only,
    mediaIds: entry.media?.map(mediaIdOfKey),
    // As stored: who is tagged may have changed the setting since.
    taggedUserIds: [...new Set(entry.tagged_users?.map((name) => known.userId(name)))],
    placeId: entry.place,
  } satisfies Partial<PostDraft>;
}

/** Returns when a version was written (ms). */
export function createdAt(
  { id, created_at }: Pick<WorldVersion, 'id' | 'created_at'>,
  nowMs: number,
): number {
  return created_at?.at(nowMs) ?? timeOfId(id) ?? nowMs;
}

/** Records that the place of a version was removed, if it was. */
export async function storeScrub(
  { place_removed_at: removedAt }: WorldVersion,
  post: Post,
  { tx, nowMs }: Load,
): Promise<void> {
  if (removedAt) await insertScrub(tx, post, removedAt.at(nowMs));
}
