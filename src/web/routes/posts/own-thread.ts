import { html, type Html } from '../../../api/reference/html.js';
import type { PostCard } from '../../posts/load-cards.js';

/** A shown post of a conversation, with its card. */
export interface ShownPost {
  readonly card: PostCard;
  readonly shown: Html;
}

/** A thread of one author has at least this many posts. */
const MIN_THREAD = 2;

/** The places of posts in the thread of one author that they form, such as `2 of 5`, by id. */
export type ThreadPlaces = ReadonlyMap<string, string>;

/**
 * Returns the places of posts that follow each other and are by one author. `isWhole` is false if the conversation has more
 * below them than these.
 */
export function threadPlaces(chain: readonly PostCard[], isWhole: boolean): ThreadPlaces {
  const places = new Map<string, string>();
  for (const run of runsOf(chain)) {
    if (run.length < MIN_THREAD) continue;
    const total = isWhole || run.at(-1) !== chain.at(-1) ? String(run.length) : `${run.length}+`;
    run.forEach(({ post }, index) => places.set(post.id, `${index + 1} of ${total}`));
  }
  return places;
}

/** Longer threads are folded: the first two posts and the last one stay. */
const MAX_OPEN = 4;
const OPEN_FIRST = 2;

/** Returns posts, one below the other, with the middle of long threads of one author folded. */
export function foldThreads(posts: readonly ShownPost[]): Html[] {
  const byCard = new Map(posts.map(({ card, shown }) => [card, shown]));
  return runsOf(posts.map(({ card }) => card)).flatMap((run) => {
    const shown = run.map((card) => byCard.get(card) ?? html``);
    if (run.length <= MAX_OPEN) return shown;
    const folded = shown.slice(OPEN_FIRST, -1);
    return [
      ...shown.slice(0, OPEN_FIRST),
      html`<details class="folded">
        <summary>${folded.length} more posts of this thread</summary>
        ${folded}
      </details>`,
      ...shown.slice(-1),
    ];
  });
}

/** Splits posts into runs of which each post answers the one before and has its author. */
function runsOf(chain: readonly PostCard[]): PostCard[][] {
  const runs: PostCard[][] = [];
  for (const card of chain) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && isContinued(last, card)) run.push(card);
    else runs.push([card]);
  }
  return runs;
}

function isContinued(one: PostCard, next: PostCard): boolean {
  const parent = next.post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id;
  const versions = one.post.edit_history_tweet_ids ?? [one.post.id];
  return (
    one.post.author_id !== undefined &&
    one.post.author_id === next.post.author_id &&
    parent !== undefined &&
    (parent === one.post.id || versions.includes(parent))
  );
}
