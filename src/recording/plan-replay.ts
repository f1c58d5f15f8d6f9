import { asTimeMs, type WireObject } from '../archive/wire-json.js';
import { parseId } from '../core/ids.js';
import { timeOfId } from '../core/snowflake.js';
import type { ArchivedPosts } from './read-archive.js';
import { referenceTo } from './typed-text.js';

/** A post to create, some time after the start. */
export interface ReplayStep {
  readonly post: WireObject;
  readonly id: string;
  readonly afterMs: number;
}

const REFERENCES = ['replied_to', 'quoted', 'retweeted'] as const;

/**
 * Returns the posts of archives in the order of their times, with the gaps between them divided by `speed`. A post
 * that the archives only refer to comes directly before the first post that refers to it. Posts without a time are
 * left out.
 */
export function planReplay({ posts, mainIds }: ArchivedPosts, speed: number): ReplayStep[] {
  const timed = mainIds.flatMap((id) => {
    const post = posts.get(id);
    const timeMs = post && timeOf(post);
    return post && timeMs !== undefined ? [{ id, timeMs }] : [];
  });
  timed.sort((one, other) => one.timeMs - other.timeMs || compareIds(one.id, other.id));
  const startMs = timed[0]?.timeMs ?? 0;
  const planned = new Set<string>();
  return timed.flatMap(({ id, timeMs }) => {
    const afterMs = (timeMs - startMs) / speed;
    return withReferences(posts, id, planned).map((post) => ({ post, id: String(post.id), afterMs }));
  });
}

function timeOf({ id, created_at }: WireObject): number | undefined {
  const parsed = parseId(String(id));
  return parsed === undefined ? undefined : (asTimeMs(created_at) ?? timeOfId(parsed));
}

function compareIds(one: unknown, other: unknown): number {
  return Number(BigInt(String(one)) - BigInt(String(other)));
}

/** Returns the post after those that it refers to, directly or not, without those that are planned already. */
function withReferences(posts: ArchivedPosts['posts'], id: string, planned: Set<string>): WireObject[] {
  const found: WireObject[] = [];
  const open = [id];
  // No recursion: a conversation may be long.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const post = posts.get(next);
    if (!post || planned.has(next) || parseId(next) === undefined) continue;
    planned.add(next);
    found.push(post);
    open.push(...REFERENCES.flatMap((type) => referenceTo(post, type) ?? []));
  }
  // A post refers to older ones only.
  return found.sort((one, other) => compareIds(one.id, other.id));
}
