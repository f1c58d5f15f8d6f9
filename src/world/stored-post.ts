import type { PostId } from '../core/ids.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import type { Post } from '../core/post.js';
import type { WorldPost } from './post-entry.js';

/** What writing puts before a reply, and behind a post with a quote or media. */
const HANDLES = /^(?:@\w+ )*$/;
const STATUS_LINKS = /^(?: \S+\/status\/\d+(?:\/(?:photo|video)\/1)?)*$/;

type ComparedKey = 'repost_of' | 'in_reply_to' | 'quote_of' | 'text';

/**
 * The key in which an entry is another post than the stored one with its id; undefined when it is the same. Compares
 * what cannot change in the database: what the post says and what it refers to. `original` finds a repost's original.
 */
export function differingKey(
  entry: WorldPost,
  stored: Post,
  original: (id: PostId) => PostId,
): ComparedKey | undefined {
  const refersTo = (id: PostId | undefined, storedId: PostId | undefined): boolean =>
    (id === undefined ? undefined : original(id)) === storedId;
  if (!refersTo(entry.repost_of, stored.repostedPostId)) return 'repost_of';
  if (!refersTo(entry.in_reply_to, stored.inReplyToPostId)) return 'in_reply_to';
  if (!refersTo(entry.quote_of, stored.quotedPostId)) return 'quote_of';
  return entry.repost_of !== undefined || says(stored, entry.text ?? '') ? undefined : 'text';
}

/** Handles and links were added under the usernames and the address of that time, so they are not made again. */
function says(stored: Post, text: string): boolean {
  const typed = normalizePostText(text);
  for (let at = stored.text.indexOf(typed); at >= 0; at = stored.text.indexOf(typed, at + 1)) {
    if (isAdded(stored, stored.text.slice(0, at), stored.text.slice(at + typed.length))) return true;
    if (at === stored.text.length) return false;
  }
  return false;
}

function isAdded(stored: Post, before: string, after: string): boolean {
  const hasLinks = stored.quotedPostId !== undefined || stored.detail.mediaKeys !== undefined;
  return (
    (before === '' || (stored.inReplyToPostId !== undefined && HANDLES.test(before))) &&
    (after === '' || (hasLinks && STATUS_LINKS.test(after)))
  );
}
