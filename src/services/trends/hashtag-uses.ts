import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import { newestVersionId, wholeTextOf, type Post } from '../../core/post.js';
import { firstIdAt, LAST_UNTIMED_ID } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import { listNewestPosts } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';

/** How long uses are kept before they are read again. */
const KEPT_MS = 60_000;

/** The newest posts that are read; with more in the period, older ones do not count. */
const MAX_POSTS = 20_000;

/** The same for posts whose ids do not contain their time, such as those of worlds; archives have millions of old ones. */
const MAX_UNTIMED = 2_000;

/** Small enough to delay requests only briefly. */
const CHUNK = 500;

/** A hashtag of a post. */
export interface HashtagUse {
  /** Without the sign, as written. */
  readonly tag: string;
  readonly authorId: UserId;
  readonly atMs: number;
  /** True if everybody may read the post. */
  readonly isPublic: boolean;
}

/**
 * Creates a reader of the hashtags of the newest posts of the last `periodMs`, each once a post. They are up to a minute
 * old. Posts for super followers and promoted ones are left out.
 */
export function createHashtagUses(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  periodMs: number,
) {
  let kept: Promise<readonly HashtagUse[]> | undefined;
  let keptAtMs = 0;
  return (): Promise<readonly HashtagUse[]> => {
    const nowMs = clock();
    if (kept && nowMs - keptAtMs < KEPT_MS) return kept;
    keptAtMs = nowMs;
    const read = readUses(engine, nowMs - periodMs);
    kept = read;
    // A failure is not kept.
    read.catch(() => (kept = kept === read ? undefined : kept));
    return read;
  };
}

async function readUses(engine: Engine, sinceMs: number): Promise<HashtagUse[]> {
  const timed = { above: firstIdAt(sinceMs) - 1n, upTo: EVERY_KEY.upTo };
  const untimed = { above: 0n, upTo: LAST_UNTIMED_ID };
  return [
    ...(await readRange(engine, timed, sinceMs, MAX_POSTS)),
    ...(await readRange(engine, untimed, sinceMs, MAX_UNTIMED)),
  ];
}

async function readRange(
  engine: Engine,
  range: KeyRange,
  sinceMs: number,
  maxPosts: number,
): Promise<HashtagUse[]> {
  const uses: HashtagUse[] = [];
  const { above } = range;
  let upTo: bigint = range.upTo;
  for (let read = 0; read < maxPosts; read += CHUNK) {
    const posts = await listNewestPosts(engine, { above, upTo }, CHUNK);
    const states = await findAccountStates(engine, [...new Set(posts.map(({ authorId }) => authorId))]);
    for (const post of posts) {
      const author = states.get(post.authorId);
      if (!author || author.suspended || post.createdAtMs < sinceMs) continue;
      if (newestVersionId(post) !== post.id) continue;
      uses.push(...usesOf(post, !author.protected));
    }
    const last: PostId | undefined = posts.at(-1)?.id;
    if (last === undefined || posts.length < CHUNK) break;
    upTo = last - 1n;
  }
  return uses;
}

function usesOf(post: Post, isPublic: boolean): HashtagUse[] {
  const { authorId, createdAtMs: atMs } = post;
  if (post.superFollowersOnly || post.nullcast || post.repostedPostId !== undefined) return [];
  const tags = new Map(
    (wholeTextOf(post).entities?.hashtags ?? []).map(({ tag }) => [tag.toLowerCase(), tag]),
  );
  return [...tags.values()].map((tag) => ({ tag, authorId, atMs, isPublic }));
}
