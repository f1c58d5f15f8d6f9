import { describe, expect, onTestFinished, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import { headOf, type Post } from '../../src/core/post.js';
import { insertPostRows } from '../../src/stores/import-rows.js';
import { migrations } from '../../src/database/migrations/all.js';
import { listReplies } from '../../src/stores/post-links.js';
import { deletePost, insertPosts } from '../../src/stores/posts.js';
import { A, B, createImportFixture, page, post as line, user } from '../archive/import-fixture.js';
import { testEngines } from './engines.js';

const VERSION = 24;

function post(id: bigint, inReplyTo?: bigint): Post {
  return {
    id: id as PostId,
    authorId: 7n as UserId,
    createdAtMs: 0,
    conversationId: 1n as PostId,
    text: 'a heron',
    lang: 'en',
    inReplyToPostId: inReplyTo as PostId | undefined,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    detail: {},
  };
}

const ROOT = 1n as PostId;

describe.each(testEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, kind) => {
  test('the replies of a post are listed oldest first, including those stored before the list existed', async () => {
    const database = await kind.create();
    onTestFinished(() => database.remove());
    const before = await database.open({ migrations: migrations.filter(({ version }) => version < VERSION) });
    const old = [post(ROOT), post(5n, ROOT), post(3n, ROOT), post(4n, 3n)];
    await before.tx('store', (tx) =>
      insertPostRows(
        tx,
        old.map((each) => ({ ...headOf(each), detailJson: '{}' })),
      ),
    );
    await before.close();
    const engine = await database.open();
    await engine.tx('store', async (tx) => {
      await insertPosts(tx, [post(9n, ROOT)]);
      await deletePost(tx, post(5n, ROOT));
    });
    expect(await listReplies(engine, ROOT, -1n, 10)).toEqual([3n, 9n]);
    expect(await listReplies(engine, ROOT, 3n, 10)).toEqual([9n]);
    expect(await listReplies(engine, ROOT, -1n, 1)).toEqual([3n]);
  });
});

test('imported replies are listed, also before their parent is stored', async () => {
  await using fixture = await createImportFixture();
  const reply = line(B, { conversation_id: A, referenced_tweets: [{ type: 'replied_to', id: A }] });
  await fixture.importLines([page([reply], [user('7', 'sam')])]);
  expect(await listReplies(fixture.engine, BigInt(A) as PostId, -1n, 10)).toEqual([BigInt(B)]);
});
