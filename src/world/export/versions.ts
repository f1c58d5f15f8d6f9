import type { PostId, UserId } from '../../core/ids.js';
import { wholeTextOf, type Post } from '../../core/post.js';
import { endsWithLinkTo, withoutLastWord } from '../../services/posts/status-links.js';
import { versionDetailOf } from '../kept-detail.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import { handlesOf, namedInLink } from './handles.js';
import type { Names } from './names.js';

/**
 * Returns what one version of a post has of its own. `quotedAuthorId` is absent if the quoted post is left out. A later
 * version may have been written when the quoted post was deleted: `keepsLink` tells by its text.
 */
export function entryOfVersion(
  post: Post,
  { names, scrubs }: { readonly names: Names; readonly scrubs: ReadonlyMap<PostId, number> },
  quotedAuthorId?: UserId,
  keepsLink = false,
): Entry {
  const { detail } = post;
  const { typed, added } = splitText(post, quotedAuthorId);
  const { text, entities } = wholeTextOf(post);
  const author = detail.mediaKeys === undefined ? quotedAuthorId : post.authorId;
  const scrubbedAtMs = scrubs.get(post.id);
  return entryOf({
    id: String(post.id),
    text: detail.article ? undefined : unless('', keepsLink ? text : typed),
    created_at: timeBeside(post.id, post.createdAtMs),
    lang: post.lang,
    source: post.source,
    long: (detail.note !== undefined && !names.isSubscriber(post.authorId)) || undefined,
    handles: handlesOf({ text: typed, entities }, names, [namedInLink(added, author)]),
    media: detail.mediaKeys,
    tagged_users: namesOf(detail.taggedUserIds, names),
    place: post.placeId,
    place_removed_at: scrubbedAtMs === undefined ? undefined : worldTimeOf(scrubbedAtMs),
    ...versionDetailOf(detail),
  });
}

/** Returns the usernames of users that a post names by id. */
export function namesOf(ids: readonly string[] = [], names: Names): readonly string[] | undefined {
  return someOf(names.findAll(ids.map((id) => BigInt(id) as UserId)));
}

/** Separates what the author typed from the link of media or of the quoted post, which loading adds again. */
function splitText(
  post: Post,
  quotedAuthorId: UserId | undefined,
): { readonly typed: string; readonly added?: string } {
  const { text } = wholeTextOf(post);
  const typed = withoutLastWord(text);
  const added = text.slice(typed.length).trimStart();
  if (post.detail.mediaKeys !== undefined) return { typed, added };
  const { quotedPostId } = post;
  const isLink =
    quotedAuthorId !== undefined && quotedPostId !== undefined && endsWithLinkTo(added, quotedPostId);
  return isLink ? { typed, added } : { typed: text };
}
