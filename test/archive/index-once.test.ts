import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { streamSource } from '../../src/archive/source.js';
import { indexImported } from '../../src/services/search/index-posts.js';
import { hasSearchPending } from '../../src/database/search-pending.js';
import { openTestEngine } from '../support/test-database.js';
import { A, B, page, post } from './import-fixture.js';

const ORIGINAL = post(A);
const REPOST = post(B, { author_id: '8', referenced_tweets: [{ type: 'retweeted', id: A }] });

/** Imports each page separately; returns whether the index then has pending work. */
async function leavesPending(pages: readonly unknown[]): Promise<boolean> {
  const engine = await openTestEngine();
  try {
    for (const each of pages) {
      const bytes = Buffer.from(JSON.stringify(each));
      await importTwarc(
        {
          engine,
          indexPosts: (tx, posts, superseded) => indexImported(tx, engine, posts, superseded),
        },
        [streamSource('standard input', Readable.from([bytes]))],
      );
    }
    return await hasSearchPending(engine);
  } finally {
    await engine.close();
  }
}

test('a repost imported with its original is indexed once', async () => {
  expect(await leavesPending([page([REPOST, ORIGINAL])])).toBe(false);
});

test('a repost imported before its original is indexed again', async () => {
  expect(await leavesPending([page([REPOST]), page([ORIGINAL])])).toBe(true);
});
