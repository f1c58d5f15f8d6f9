import type { PollId, PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import { postArticle } from '../services/posts/articles.js';
import { rememberText } from '../services/posts/recent-text.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { attachMedia } from '../stores/media.js';
import { insertVote } from '../stores/poll-votes.js';
import { insertHiddenReply } from '../stores/post-links.js';
import { asArticle, type WorldArticle } from './articles.js';
import { lookupsWith } from './handles.js';
import { keptDraft } from './kept-detail.js';
import type { Load } from './pass.js';
import type { WorldPost } from './post-entry.js';
import { createdAt, storeEdit, storeScrub, versionDraft } from './store-version.js';

/** Stores the posts that are not in the database, oldest first, so that references are stored before use. */
export async function storePosts(
  { posts, articles }: { readonly posts: readonly WorldPost[]; readonly articles: readonly WorldArticle[] },
  load: Load,
  writer: PostWriter,
): Promise<void> {
  const articlesById = new Map(articles.map((article) => [article.id, article]));
  const missing = posts.filter(({ id }) => !load.known.isStoredPost(id));
  const steps = missing.flatMap((post) => [
    { id: post.id, post, edit: undefined },
    ...(post.edits ?? []).map((edit) => ({ id: edit.id, post, edit })),
  ]);
  steps.sort((one, other) => (one.id < other.id ? -1 : 1));
  let prepared: Post[] = [];
  for (const { post, edit } of steps) {
    if (edit) {
      await writer.store(load.tx, prepared);
      prepared = [];
      await storeEdit(edit, post, load, writer);
      continue;
    }
    const article = post.article === undefined ? undefined : articlesById.get(post.article);
    const next =
      post.repost_of !== undefined
        ? await prepareRepost(post, post.repost_of, load, writer)
        : article
          ? await prepareArticle(post, article, load, writer)
          : await preparePost(post, load, writer);
    if (next) {
      prepared.push(next);
      load.added('posts');
    }
  }
  await writer.store(load.tx, prepared);
}

async function preparePost(entry: WorldPost, load: Load, writer: PostWriter): Promise<Post> {
  const draft = asDraft(entry, load, writer);
  await takeMedia(entry, draft, load);
  const lookups = await lookupsWith(load, entry.handles);
  const post = await writer.prepare(load.tx, draft, lookups);
  const pollLabels = draft.poll?.options.map((option) => option.label) ?? [];
  await rememberText(load.tx, post, pollLabels);
  await storeVotes(entry, post, load);
  await storeScrub(entry, post, load);
  if (entry.hidden) await insertHiddenReply(load.tx, post.conversationId, post.id);
  return post;
}

/** Prepares the post that publishes an article. Several may have the same title, so the text is not remembered. */
async function prepareArticle(
  entry: WorldPost,
  article: WorldArticle,
  load: Load,
  writer: PostWriter,
): Promise<Post> {
  const shown = await postArticle(load.tx, asArticle(article, load));
  const lang = entry.lang ?? writer.read(shown.plainText === '' ? shown.title : shown.plainText).lang;
  const draft = { ...asDraft(entry, load, writer), typed: writer.read(shown.title, lang), article: shown };
  return writer.prepare(load.tx, draft, await lookupsWith(load, entry.handles));
}

/** Stores the votes of users, which the numbers of votes include. */
async function storeVotes({ poll }: WorldPost, post: Post, { tx, known }: Load): Promise<void> {
  const [pollId] = post.detail.pollIds ?? [];
  if (pollId === undefined) return;
  for (const [index, names] of (poll?.voters ?? []).entries()) {
    for (const name of names) await insertVote(tx, BigInt(pollId) as PollId, known.userId(name), index + 1);
  }
}

async function takeMedia(entry: WorldPost, draft: PostDraft, { tx, nowMs, faults }: Load): Promise<void> {
  for (const [index, id] of (draft.mediaIds ?? []).entries()) {
    const taken = await attachMedia(tx, { id, ownerId: draft.authorId, attachTo: draft.id, nowMs });
    if (!taken) faults.add(`${entry.path}.media[${index}]`, 'is in use or another user’s in the database');
  }
}

async function prepareRepost(
  entry: WorldPost,
  repostOf: PostId,
  load: Load,
  writer: PostWriter,
): Promise<Post | undefined> {
  const { tx, known, nowMs, faults } = load;
  const draft = {
    id: entry.id,
    authorId: known.userId(entry.author),
    createdAtMs: createdAt(entry, nowMs),
    postId: known.original(repostOf),
    source: entry.source,
  };
  const lookups = await lookupsWith(load, entry.handles);
  const repost = await writer.prepareRepost(tx, draft, lookups);
  if (!repost) faults.add(`${entry.path}.repost_of`, `@${entry.author} has another repost of this post`);
  return repost;
}

function asDraft(entry: WorldPost, load: Load, writer: PostWriter): PostDraft {
  const { known } = load;
  const original = (id: PostId | undefined) => (id === undefined ? undefined : known.original(id));
  const { poll } = entry;
  return {
    ...versionDraft(entry, entry, load, writer),
    authorId: known.userId(entry.author),
    inReplyToPostId: original(entry.in_reply_to),
    excludedReplyUserIds: entry.exclude_reply_users?.map((name) => known.userId(name)),
    quotedPostId: original(entry.quote_of),
    poll: poll && {
      id: poll.id,
      options: poll.options.map((label, index) => ({
        label,
        votes: poll.votes?.[index] ?? poll.voters?.[index]?.length ?? 0,
      })),
      durationMinutes: poll.duration_minutes,
    },
    replySettings: entry.reply_settings,
    superFollowersOnly: entry.super_followers_only,
    possiblySensitive: entry.possibly_sensitive,
    ...keptDraft(entry),
    withheld: entry.withheld && {
      copyright: entry.withheld.copyright ?? false,
      country_codes: entry.withheld.country_codes,
    },
  };
}
