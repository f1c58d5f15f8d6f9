import { newestVersionId, versionIds, type Post } from '../core/post.js';
import { addVersion } from '../services/posts/add-version.js';
import { takeMedia } from '../services/posts/attachments.js';
import { rememberText } from '../services/posts/recent-text.js';
import { endsWithLinkTo, withoutLastWord } from '../services/posts/status-links.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { findPost, findPosts } from '../stores/posts.js';
import { lookupsWith } from './handles.js';
import { versionDetailDraft } from './kept-detail.js';
import { reporting, type Load } from './pass.js';
import type { WorldPost } from './post-entry.js';
import { storeScrub, versionDraft } from './version-draft.js';
import type { WorldVersion } from './version-entry.js';

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
