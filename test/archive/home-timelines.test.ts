import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { streamSource } from '../../src/archive/source.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const AUTHOR = '7001';

function id(n: number): string {
  return String(firstIdAt(NOW_MS - 3_600_000 + n * 1_000));
}

async function importPosts(app: TestApp, ...posts: readonly object[]): Promise<void> {
  const { engine } = app.pipit.backend;
  const data = posts.map((post) => ({ text: 'hello', author_id: AUTHOR, ...post }));
  const users = [{ id: AUTHOR, username: 'heron', name: 'Heron' }];
  await importTwarc({ engine, indexPosts: () => Promise.resolve() }, [
    streamSource(
      'standard input',
      Readable.from([Buffer.from(JSON.stringify({ data, includes: { users } }))]),
    ),
  ]);
}

test('imported posts appear on stored home timelines, and versions replaced by them do not', async () => {
  const app = await startTestApp({ clock: () => NOW_MS });
  onTestFinished(app.close);
  const dave = await app.as('dave');
  const home = async () => {
    const { body } = await app.get(`/2/users/${USERS.dave}/timelines/reverse_chronological`, dave);
    const posts = (body.data ?? []) as { id: string; author_id: string }[];
    return posts.map((post) => post.id).filter((each) => BigInt(each) >= BigInt(id(0)));
  };
  await importPosts(app, { id: id(1) });
  await app.post(`/2/users/${USERS.dave}/following`, dave, { target_user_id: AUTHOR });
  expect(await home()).toEqual([id(1)]);
  await importPosts(app, { id: id(2) });
  expect(await home()).toEqual([id(2), id(1)]);
  await importPosts(app, { id: id(3), edit_history_tweet_ids: [id(2), id(3)] });
  expect(await home()).toEqual([id(3), id(1)]);
});
