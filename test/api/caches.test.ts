import { expect, test } from 'vitest';
import { startTestApp, type TestAnswer } from '../support/app.js';
import { steadyChanges } from '../support/steady-changes.js';
import { isOnServer } from '../support/test-database.js';
import { USERS } from '../support/world.js';

interface Shown {
  readonly data: readonly {
    readonly text: string;
    readonly public_metrics: { readonly reply_count: number };
  }[];
  readonly includes: {
    readonly users: readonly { readonly public_metrics: { readonly tweet_count: number } }[];
  };
}

function newestIn({ body }: TestAnswer) {
  const { data, includes } = body as Shown;
  const [post, author] = [data[0], includes.users[0]];
  return [post?.text, post?.public_metrics.reply_count, author?.public_metrics.tweet_count];
}

test('the first page with a new post finds it and its counts in the caches on SQLite, and reads them on PostgreSQL', async () => {
  await using app = await startTestApp();
  const { engine } = app.pipit.backend;
  const misses = () =>
    ['posts', 'postCounts', 'userCounts'].map((name) => engine.caches?.byName.get(name)?.misses ?? NaN);
  await steadyChanges(engine, ['posts']);
  const alice = await app.as('alice');
  const fields = 'tweet.fields=public_metrics&user.fields=public_metrics&expansions=author_id';
  const path = `/2/users/${USERS.alice}/tweets?${fields}`;
  const [, , count] = newestIn(await app.get(path, alice));
  const before = misses();
  const made = await app.post('/2/tweets', alice, { text: 'shown first' });
  expect(newestIn(await app.get(path, alice))).toEqual(['shown first', 0, Number(count) + 1]);
  const read = isOnServer() ? 1 : 0;
  expect(misses()).toEqual(before.map((known) => known + read));

  const { id } = (made.body as { readonly data: { readonly id: string } }).data;
  await app.post('/2/tweets', await app.as('bob'), { text: 'a reply', reply: { in_reply_to_tweet_id: id } });
  expect(newestIn(await app.get(path, alice))).toEqual(['shown first', 1, Number(count) + 1]);
});
