import type { PostId } from '../../core/ids.js';
import { EVERY_KEY, type Cursor, type Page, type PageRequest } from '../../core/page.js';
import type { PostCounts } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import { findPostCounts } from '../../stores/posts.js';
import type { SearchPlan } from './search-plan.js';
import { listMatches } from './walk.js';
import { encodeWindow, type SearchWindow } from './window.js';

/** The newest matches are sorted by score in blocks of this size. */
const BLOCK = 500;

/** The width of a number in a cursor. */
const WORD_BITS = 64;

interface Scored {
  readonly id: PostId;
  readonly score: number;
  /** The index of the post in its block, newest first. */
  readonly place: number;
}

/**
 * Returns a page of matches by relevancy: by score, then newest first. A cursor contains the window, the start of its
 * block and a bitmap of the posts still to show, because scores change between pages while each match must be shown
 * once.
 */
export async function pageByRelevancy(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  { limit, cursor }: PageRequest,
): Promise<Page<PostId>> {
  const [, , top = EVERY_KEY.upTo] = cursor?.extra ?? [];
  const block = await listMatches(engine, plan, window, BLOCK + 1, top);
  const inBlock = block.ids.slice(0, BLOCK);
  const left = leftIn(inBlock, await scoredByRelevancy(engine, inBlock), cursor);
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const [fromMs, beforeMs] = encodeWindow(window);
  const items = shown.map(({ id }) => id);
  const later = left.slice(limit);
  if (last !== undefined && later.length > 0) {
    const extra = [fromMs, beforeMs, top, BigInt(last.score), sumOf(inBlock), ...placesOf(later)];
    return { items, next: { direction: 'next', position: last.id, extra } };
  }
  const nextTop = block.ids.length > BLOCK ? block.ids[BLOCK] : below(block.stoppedAt);
  if (nextTop === undefined) return { items };
  return { items, next: { direction: 'next', position: nextTop, extra: [fromMs, beforeMs, nextTop] } };
}

/**
 * Returns the posts of a block that the cursor left. When the block's posts changed, the bitmap is invalid; the posts
 * below the last score are returned instead.
 */
function leftIn(
  block: readonly PostId[],
  scored: readonly Scored[],
  cursor: Cursor | undefined,
): readonly Scored[] {
  const [, , , lastScore, sum, ...places] = cursor?.extra ?? [];
  if (cursor === undefined || lastScore === undefined) return scored;
  if (sum === sumOf(block)) return scored.filter(({ place }) => isAmong(places, place));
  const last = { id: cursor.position as PostId, score: Number(lastScore) };
  return scored.filter((post) => comesAfter(post, last));
}

/** Returns a checksum of the block's ids. */
function sumOf(ids: readonly PostId[]): bigint {
  return BigInt.asIntN(
    WORD_BITS,
    ids.reduce((sum, id) => sum + id, 0n),
  );
}

/** Returns a bitmap of the posts' places in the block, as the numbers of a cursor. */
function placesOf(posts: readonly Scored[]): bigint[] {
  const words = new Array<bigint>(Math.ceil(BLOCK / WORD_BITS)).fill(0n);
  for (const { place } of posts) {
    const at = Math.floor(place / WORD_BITS);
    words[at] = (words[at] ?? 0n) | (1n << BigInt(place % WORD_BITS));
  }
  return words.map((word) => BigInt.asIntN(WORD_BITS, word));
}

function isAmong(places: readonly bigint[], place: number): boolean {
  const word = places[Math.floor(place / WORD_BITS)] ?? 0n;
  return ((word >> BigInt(place % WORD_BITS)) & 1n) === 1n;
}

function below(id: PostId | undefined): bigint | undefined {
  return id === undefined ? undefined : id - 1n;
}

async function scoredByRelevancy(engine: Engine, ids: readonly PostId[]): Promise<Scored[]> {
  const counts = await findPostCounts(engine, ids);
  const scored = ids.map((id, place) => ({ id, place, score: scoreOf(counts.get(id)) }));
  return scored.sort((one, other) => (comesAfter(one, other) ? 1 : -1));
}

function scoreOf(counts: PostCounts | undefined): number {
  return counts === undefined ? 0 : counts.likes + counts.replies + 2 * (counts.reposts + counts.quotes);
}

function comesAfter(one: Omit<Scored, 'place'>, other: Omit<Scored, 'place'>): boolean {
  return one.score === other.score ? one.id < other.id : one.score < other.score;
}
