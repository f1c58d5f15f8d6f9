import type { PostId } from '../../core/ids.js';
import { EVERY_KEY, type Page, type PageRequest } from '../../core/page.js';
import type { PostCounts } from '../../core/post.js';
import type { Engine } from '../../storage/engine.js';
import { findPostCounts } from '../../storage/posts.js';
import type { SearchPlan } from './search-plan.js';
import { listMatches } from './walk.js';
import { freezeWindow, type SearchWindow } from './window.js';

/** So many of the newest matches are put in order of their scores; then the next so many. */
const BLOCK = 500;

interface Scored {
  readonly id: PostId;
  readonly score: number;
}

/**
 * A page of matches in the order of relevancy: how much others made of them, and the newer first among equals. A cursor
 * holds where its block begins and the last score, beside the window and the last id.
 */
export async function pageByRelevancy(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  { limit, cursor }: PageRequest,
): Promise<Page<PostId>> {
  const [, , top = EVERY_KEY.upTo, lastScore] = cursor?.extra ?? [];
  const block = await listMatches(engine, plan, window, BLOCK + 1, top);
  const inBlock = block.ids.slice(0, BLOCK);
  const scored = await scoredByRelevancy(engine, inBlock);
  const left =
    cursor === undefined || lastScore === undefined
      ? scored
      : scored.filter((post) =>
          comesAfter(post, { id: cursor.position as PostId, score: Number(lastScore) }),
        );
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const [fromMs, beforeMs] = freezeWindow(window);
  const items = shown.map(({ id }) => id);
  if (last !== undefined && left.length > limit) {
    const extra = [fromMs, beforeMs, top, BigInt(last.score)];
    return { items, next: { direction: 'next', position: last.id, extra } };
  }
  const nextTop = block.ids.length > BLOCK ? block.ids[BLOCK] : below(block.stoppedAt);
  if (nextTop === undefined) return { items };
  return { items, next: { direction: 'next', position: nextTop, extra: [fromMs, beforeMs, nextTop] } };
}

function below(id: PostId | undefined): bigint | undefined {
  return id === undefined ? undefined : id - 1n;
}

async function scoredByRelevancy(engine: Engine, ids: readonly PostId[]): Promise<Scored[]> {
  const counts = await findPostCounts(engine, ids);
  const scored = ids.map((id) => ({ id, score: scoreOf(counts.get(id)) }));
  return scored.sort((one, other) => (comesAfter(one, other) ? 1 : -1));
}

function scoreOf(counts: PostCounts | undefined): number {
  return counts === undefined ? 0 : counts.likes + counts.replies + 2 * (counts.reposts + counts.quotes);
}

function comesAfter(one: Scored, other: Scored): boolean {
  return one.score === other.score ? one.id < other.id : one.score < other.score;
}
