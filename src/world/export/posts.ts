import type { PollId, PostId, UserId } from '../../core/ids.js';
import { wholeTextOf, type Poll, type Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { endsWithLinkTo, withoutLastWord } from '../../services/posts/status-links.js';
import { findPolls } from '../../stores/polls.js';
import { listAllHiddenReplies, listAllScrubs, listAllVotes } from '../../stores/whole-network.js';
import { postDetailOf, versionDetailOf } from '../kept-detail.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import { handlesOf, namedInLink, namedInRepost } from './handles.js';
import type { Names } from './names.js';
import type { StoredPosts } from './stored-posts.js';

/** Returns the posts that can be loaded again: a repost without its original is left out. */
export async function exportPosts(db: Queryable, names: Names, posts: StoredPosts): Promise<Entry[]> {
  const pollIds = [...posts.first.values()].flatMap(({ detail }) =>
    (detail.pollIds ?? []).map((id) => BigInt(id) as PollId),
  );
  const known: Known = {
    names,
    posts,
    hidden: new Set(await listAllHiddenReplies(db)),
    polls: await findPolls(db, pollIds),
    votes: await listAllVotes(db),
    scrubs: await listAllScrubs(db),
  };
  return [...posts.first.values()]
    .map((post) => entryOfPost(post, known))
    .filter((entry) => entry !== undefined);
}

interface Known {
  readonly names: Names;
  readonly posts: StoredPosts;
  readonly hidden: ReadonlySet<PostId>;
  readonly polls: ReadonlyMap<PollId, Poll>;
  /** The users who voted, by poll and number of the option. */
  readonly votes: ReadonlyMap<PollId, ReadonlyMap<number, readonly UserId[]>>;
  /** When the place of a post was removed (ms). */
  readonly scrubs: ReadonlyMap<PostId, number>;
}

function entryOfPost(post: Post, known: Known): Entry | undefined {
  const author = known.names.find(post.authorId);
  if (author === undefined) return undefined;
  if (post.repostedPostId !== undefined) return entryOfRepost(post, author, post.repostedPostId, known);
  const { posts } = known;
  const authorOf = (id: PostId | undefined) =>
    id === undefined ? undefined : (posts.first.get(id) ?? posts.deleted.get(id))?.authorId;
  const quotedAuthorId = authorOf(post.quotedPostId);
  const parent = authorOf(post.inReplyToPostId) === undefined ? undefined : String(post.inReplyToPostId);
  const isQuoteDeleted = post.quotedPostId !== undefined && !posts.first.has(post.quotedPostId);
  const edits = (posts.edits.get(post.id) ?? []).map((each) =>
    entryOfVersion(each, known, quotedAuthorId, isQuoteDeleted && each.detail.mediaKeys === undefined),
  );
  return entryOf({
    ...entryOfVersion(post, known, quotedAuthorId),
    author,
    in_reply_to: parent,
    quote_of: quotedAuthorId === undefined ? undefined : String(post.quotedPostId),
    ...(parent !== undefined && membersOfReply(post, known)),
    ...settingsOf(post, known),
    edits: someOf(edits),
  });
}

/**
 * Returns what one version of a post has of its own. `quotedAuthorId` is absent if the quoted post is left out. A later
 * version may have been written when the quoted post was deleted: `keepsLink` tells by its text.
 */
function entryOfVersion(
  post: Post,
  { names, scrubs }: Known,
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
function namesOf(ids: readonly string[] = [], names: Names): readonly string[] | undefined {
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

function entryOfRepost(
  post: Post,
  author: string,
  repostOf: PostId,
  { names, posts }: Known,
): Entry | undefined {
  const original = posts.first.get(repostOf);
  if (!original) return undefined;
  return entryOf({
    id: String(post.id),
    author,
    created_at: timeBeside(post.id, post.createdAtMs),
    source: post.source,
    repost_of: String(repostOf),
    handles: handlesOf({ text: '' }, names, [namedInRepost(post.text, original.authorId)]),
  });
}

function membersOfReply({ id, detail }: Post, { names, hidden }: Known): Entry {
  return {
    typed_handles_only: true,
    exclude_reply_users: namesOf(detail.excludedReplyUserIds, names),
    hidden: hidden.has(id) || undefined,
  };
}

/** Returns what all versions of a post have in common. */
function settingsOf(post: Post, { names, polls, votes }: Known): Entry {
  const { detail } = post;
  const [pollId] = detail.pollIds ?? [];
  const poll = pollId === undefined ? undefined : polls.get(BigInt(pollId) as PollId);
  return {
    poll: poll && entryOfPoll(poll, names, votes.get(poll.id)),
    reply_settings: post.replySettings === 'other' ? undefined : unless('everyone', post.replySettings),
    possibly_sensitive: unless(false, post.possiblySensitive),
    super_followers_only: unless(false, post.superFollowersOnly),
    withheld: detail.withheld?.country_codes && {
      country_codes: detail.withheld.country_codes,
      copyright: detail.withheld.copyright,
    },
    ...postDetailOf(post),
    article: detail.article?.id,
  };
}

function entryOfPoll(
  { id, options, durationMinutes }: Poll,
  names: Names,
  votes: ReadonlyMap<number, readonly UserId[]> = new Map(),
): Entry {
  const voters = options.map((_option, index) => names.findAll(votes.get(index + 1) ?? []));
  return entryOf({
    id: String(id),
    options: options.map(({ label }) => label),
    duration_minutes: durationMinutes,
    votes: options.map((option) => option.votes),
    voters: voters.some((each) => each.length > 0) ? voters : undefined,
  });
}
