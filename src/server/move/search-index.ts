import { openEngine } from '../../database/open-engine.js';
import { indexAllPending, tidyIndex } from '../../services/search/index-posts.js';
import { rebuildIndex } from '../../services/search/rebuild-index.js';
import type { Sides } from './sides.js';

/** The note that the index holds every copied post. */
const BUILT = 'index built';

/** The note of the last position of the feed that the source made. */
const FEED_END = 'feed end';

/**
 * Indexes the posts of the target: at first all of them, then those that changes marked. An interrupted build
 * continues. The source need not be quiet, but all changes must be copied that were committed before one of them.
 */
export async function buildIndex(sides: Sides, url: string, onPosts: (posts: number) => void): Promise<void> {
  const { to, requireRunning } = sides;
  const end = (await to.lastKey(feedOf(sides))) ?? '-1';
  await to.write((tx) => tx.putNote(FEED_END, end));
  await to.advanceSequences();
  const engine = await openEngine(url, { durability: 'full' });
  try {
    if (!(await to.notes()).has(BUILT)) {
      await rebuildIndex(engine, {
        onProgress: (posts) => {
          requireRunning();
          onPosts(posts);
        },
      });
      await to.write((tx) => tx.putNote(BUILT, 'yes'));
    }
    await indexAllPending(engine, () => false);
    while (await tidyIndex(engine)) requireRunning();
  } finally {
    await engine.close();
    await dropOwnEntries(sides);
  }
}

/** Deletes what the indexing added to the feed: the source may use the same positions. Nothing may be copied before. */
export async function dropOwnEntries({ to }: Sides): Promise<void> {
  const end = (await to.notes()).get(FEED_END);
  if (end === undefined) return;
  await to.write(async (tx) => {
    await tx.run(`DELETE FROM change_feed WHERE position > ${BigInt(end)}`);
    await tx.putNote(FEED_END, undefined);
  });
}

function feedOf({ tables }: Sides) {
  const feed = tables.find(({ name }) => name === 'change_feed');
  if (!feed) throw new Error('the feed of changes is not among the copied tables');
  return feed;
}
