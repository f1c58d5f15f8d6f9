/** How fast the counts of a post by an author change at most. */
export type HotPost = Readonly<Record<string, number>>;

/** The share of the followers who like a post that they see. */
const LIKED_BY = 0.01;

/** Likes come with this mean delay, in seconds; the first ones come fastest. */
const MEAN_DELAY = 1_800;

/** How much more a post gets that is passed on outside the followers of its author. */
const VIRAL = 10;

/** Computes the changes a second of the counts of one post, for authors at some ranks by their followers. */
export function hotPosts(followers: Uint32Array): HotPost[] {
  const sorted = Uint32Array.from(followers).sort();
  return [1, 10, 100, 1_000, 10_000].map((rank) => {
    const count = sorted[Math.max(0, sorted.length - rank)] ?? 0;
    const likes = count * LIKED_BY;
    const first = likes / MEAN_DELAY;
    return {
      rank,
      followers: count,
      likes,
      'likes a second at first': first,
      'when it spreads': VIRAL * first,
    };
  });
}
