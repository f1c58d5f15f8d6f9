import type { PollId, PostId, UserId } from '../../core/ids.js';
import { firstVersionId, wholeTextOf, type Poll, type Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { findPolls } from '../../stores/polls.js';
import { pagePosts } from '../../stores/posts.js';
import { listAllHiddenReplies } from '../../stores/whole-network.js';
import { keptMembersOf } from '../kept-detail.js';
import { entryOf, someOf, timeBeside, unless, type Entry } from './entry.js';
import type { Names } from './names.js';

const PAGE = 1_000;

/** Returns the posts by the id that others refer to: the first version, with the content of the newest. */
export async function readPostsById(db: Queryable): Promise<Map<PostId, Post>> {
  const posts = new Map<PostId, Post>();
  for (let after = -1n as PostId; ;) {
    const page = await pagePosts(db, after, PAGE);
    for (const post of page) posts.set(firstVersionId(post), post);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return posts;
    after = last.id;
  }
}

/** Returns the posts that can be loaded again: a repost without its original is left out. */
export async function exportPosts(
  db: Queryable,
  names: Names,
  posts: ReadonlyMap<PostId, Post>,
): Promise<Entry[]> {
  const hidden = new Set(await listAllHiddenReplies(db));
  const pollIds = [...posts.values()].flatMap(({ detail }) =>
    (detail.pollIds ?? []).map((id) => BigInt(id) as PollId),
  );
  const polls = await findPolls(db, pollIds);
  const known = { names, posts, hidden, polls };
  const entries = [...posts].map(([id, post]) => entryOfPost(id, post, known));
  return entries.filter((entry) => entry !== undefined);
}

interface Known {
  readonly names: Names;
  readonly posts: ReadonlyMap<PostId, Post>;
  readonly hidden: ReadonlySet<PostId>;
  readonly polls: ReadonlyMap<PollId, Poll>;
}

function entryOfPost(id: PostId, post: Post, known: Known): Entry | undefined {
  const author = known.names.find(post.authorId);
  const { repostedPostId } = post;
  if (author === undefined || (repostedPostId !== undefined && !known.posts.has(repostedPostId)))
    return undefined;
  const createdAtMs = post.detail.firstVersion?.createdAtMs ?? post.createdAtMs;
  const head = { id: String(id), author, created_at: timeBeside(id, createdAtMs), source: post.source };
  if (repostedPostId !== undefined) return entryOf({ ...head, repost_of: String(repostedPostId) });
  return entryOf({ ...head, ...contentOf(post, known), hidden: known.hidden.has(id) || undefined });
}

function contentOf(post: Post, { names, posts, polls }: Known): Entry {
  const { detail } = post;
  const [pollId] = detail.pollIds ?? [];
  const poll = pollId === undefined ? undefined : polls.get(BigInt(pollId) as PollId);
  const named = (ids: readonly string[] = []) =>
    someOf(names.findAll(ids.map((each) => BigInt(each) as UserId)));
  const reference = (id: PostId | undefined) => (id !== undefined && posts.has(id) ? String(id) : undefined);
  const parent = reference(post.inReplyToPostId);
  return {
    text: unless('', typedText(post)),
    lang: post.lang,
    in_reply_to: parent,
    typed_handles_only: parent === undefined ? undefined : true,
    quote_of: reference(post.quotedPostId),
    media: detail.mediaKeys,
    tagged_users: named(detail.taggedUserIds),
    poll: poll && entryOfPoll(poll),
    place: post.placeId,
    reply_settings: post.replySettings === 'other' ? undefined : unless('everyone', post.replySettings),
    possibly_sensitive: unless(false, post.possiblySensitive),
    super_followers_only: unless(false, post.superFollowersOnly),
    exclude_reply_users: parent === undefined ? undefined : named(detail.excludedReplyUserIds),
    withheld: detail.withheld?.country_codes && {
      country_codes: detail.withheld.country_codes,
      copyright: detail.withheld.copyright,
    },
    ...keptMembersOf(post),
  };
}

/** Returns the text without the links of media and of the quoted post at its end, which loading adds again. */
function typedText({ detail, quotedPostId, ...post }: Post): string {
  const { text } = wholeTextOf({ ...post, detail });
  const start = text.lastIndexOf(' ');
  const isAdded = detail.mediaKeys !== undefined || (start > 0 && text.endsWith(`/status/${quotedPostId}`));
  return isAdded ? text.slice(0, Math.max(0, start)) : text;
}

function entryOfPoll({ id, options, durationMinutes }: Poll): Entry {
  return {
    id: String(id),
    options: options.map(({ label }) => label),
    duration_minutes: durationMinutes,
    votes: options.map(({ votes }) => votes),
  };
}
