import type { PollId, PostId, UserId } from '../../core/ids.js';
import type { Poll, Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { findPolls } from '../../stores/polls.js';
import { listAllHiddenReplies, listAllScrubs, listAllVotes } from '../../stores/whole-network.js';
import { postDetailOf } from '../kept-detail.js';
import { entryOf, someOf, timeBeside, unless, type Entry } from './entry.js';
import { handlesOf, namedInRepost } from './handles.js';
import type { Names } from './names.js';
import type { StoredPosts } from './stored-posts.js';
import { entryOfVersion, namesOf } from './versions.js';

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
