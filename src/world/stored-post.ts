import type { PostId } from '../core/ids.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import { wholeTextOf, type Post } from '../core/post.js';
import type { WorldPost } from './post-entry.js';

/** The text that the server adds before a reply, and after a post with a quote or media. */
const HANDLES = /^(?:@\w+ )*$/;
const STATUS_LINKS = /^(?: \S+\/status\/\d+(?:\/(?:photo|video)\/1)?)*$/;

type ComparedKey = 'repost_of' | 'in_reply_to' | 'quote_of' | 'text';

/**
 * Returns the first key in which an entry differs from the stored post with its id; undefined if they are equal.
 * Compares what never changes: text and references. `original` finds a repost's original.
 */
export function differingKey(
  entry: Pick<WorldPost, ComparedKey>,
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

/**
 * Reports whether a stored post has this text, apart from added handles and links: usernames and the address of the
 * server may have changed since they were added.
 */
function says(stored: Post, text: string): boolean {
  const typed = normalizePostText(text);
  const whole = wholeTextOf(stored).text;
  for (let at = whole.indexOf(typed); at >= 0; at = whole.indexOf(typed, at + 1)) {
    if (isAdded(stored, whole.slice(0, at), whole.slice(at + typed.length))) return true;
    if (at === whole.length) return false;
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
