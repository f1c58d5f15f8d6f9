import { normalizePostText } from '../core/post-text/normalize.js';
import { mediaIdOfKey, newestVersionId, versionIds, type Post } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { addVersion } from '../services/posts/add-version.js';
import { takeMedia } from '../services/posts/attachments.js';
import { rememberText } from '../services/posts/recent-text.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import { endsWithLinkTo, withoutLastWord } from '../services/posts/status-links.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { findPost, findPosts, insertScrub } from '../stores/posts.js';
import { lookupsWith } from './handles.js';
import { versionDetailDraft } from './kept-detail.js';
import { reporting, type Load } from './pass.js';
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
  if (removedAt) await insertScrub(tx, post.id, post.createdAtMs, removedAt.at(nowMs));
}

/** Stores a later version of a post whose earlier versions are stored. */
export async function storeEdit(
  entry: WorldVersion,
  post: WorldPost,
  load: Load,
  writer: PostWriter,
): Promise<void> {
  const { tx, known } = load;
  const { posts } = known.lookups;
  const first = posts.get(post.id);
  const previous = first && (await findPost(tx, newestVersionId(first)));
  if (!previous) throw new Error(`post ${post.id} is not stored`);
  const deletedQuote = await findDeletedQuote(entry, previous, load);
  const typed = deletedQuote ? { ...entry, text: withoutLastWord(entry.text ?? '') } : entry;
  const draft = { ...versionDraft(typed, post, load, writer), ...versionDetailDraft(entry) };
  await reporting(`${entry.path}.media`, load, () =>
    takeMedia(tx, {
      ids: draft.mediaIds ?? [],
      ownerId: previous.authorId,
      postId: entry.id,
      nowMs: load.nowMs,
      versions: [...versionIds(previous), previous.id],
    }),
  );
  const lookups = await lookupsWith(load, entry.handles);
  const edited = await addVersion(tx, writer, previous, draft, { lookups, deletedQuote });
  await rememberText(tx, edited, []);
  await storeScrub(entry, edited, load);
  const versions = await findPosts(tx, [edited.id, ...versionIds(edited)]);
  for (const version of versions.values()) posts.set(version.id, version);
}

/** Returns the deleted post that a version quotes if its text ends with the link to it: it was written before. */
async function findDeletedQuote(
  { text = '' }: WorldVersion,
  { quotedPostId }: Post,
  { tx, known }: Load,
): Promise<Post | undefined> {
  if (quotedPostId === undefined || !endsWithLinkTo(text, quotedPostId)) return undefined;
  return (await findPost(tx, quotedPostId)) ? undefined : known.lookups.posts.get(quotedPostId);
}
