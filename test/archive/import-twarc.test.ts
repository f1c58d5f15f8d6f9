import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importTwarc } from '../../src/archive/import-twarc.js';
import { fileSource } from '../../src/archive/source.js';
import type { PostId, UserId } from '../../src/core/ids.js';
import { deletePostWithConsequences } from '../../src/services/posts/delete-post.js';
import { findPlaces } from '../../src/stores/places.js';
import { insertDeletedPost } from '../../src/stores/deleted-posts.js';
import { deletePost, findPost, incrementPostCounts } from '../../src/stores/posts.js';
import { findRepostId } from '../../src/stores/post-links.js';
import { findUser, findUserCounts } from '../../src/stores/users.js';
import {
  A,
  B,
  createImportFixture,
  NOON,
  ONE,
  page,
  post,
  user,
  type ImportFixture,
} from './import-fixture.js';
import { syntheticPage } from './synthetic.js';

const C = '1500000000000000003';

let fixture: ImportFixture;
let folder: string;

beforeEach(async () => {
  fixture = await createImportFixture();
  folder = await mkdtemp(join(tmpdir(), 'pipit-import-'));
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('stored data', () => {
  it('has posts, users, media, polls and places with counts, and adds posts to lists and index', async () => {
    const result = await fixture.importLines([
      {
        data: [
          post(A, {
            attachments: { media_keys: ['3_5'], poll_ids: ['6'] },
            geo: { place_id: 'p' },
            entities: { mentions: [{ start: 0, end: 2, username: 'Bob' }] },
            in_reply_to_user_id: '9',
            public_metrics: { like_count: 4, retweet_count: 1, reply_count: 0, quote_count: 0 },
          }),
          post(B, { referenced_tweets: [{ type: 'retweeted', id: A }] }),
        ],
        includes: {
          users: [user('7', 'alice', { public_metrics: { tweet_count: 3 } }), user('8', 'bob')],
          media: [{ media_key: '3_5', type: 'photo', url: 'https://images.example/5.jpg' }],
          polls: [{ id: '6', options: [{ position: 1, label: 'yes', votes: 2 }] }],
          places: [{ id: 'p', full_name: 'Somewhere' }],
        },
      },
    ]);
    const one = { new: 1, updated: 0, unchanged: 0, kept: 0 };
    const two = { ...one, new: 2 };
    expect(result.tallies).toEqual({ posts: two, users: two, media: one, polls: one, places: one });
    expect(await fixture.countsOf(A)).toMatchObject({ likes: 4, reposts: 1 });
    expect((await findUserCounts(fixture.engine, [7n as UserId])).get(7n as UserId)?.posts).toBe(3);
    expect((await findPlaces(fixture.engine, ['p'])).size).toBe(1);
    expect(await fixture.rows('mentions')).toEqual([`8 ${A}`, `9 ${A}`]);
    expect(await fixture.rows('reposts')).toEqual([`${A} ${B}`]);
    expect(await fixture.rows('user_posts')).toEqual([`7 ${A}`, `7 ${B}`]);
    expect(fixture.indexed.posts).toEqual([A, B]);
  });

  it('is the same for plain text, gzip, several gzip members, CRLF, blank lines and a byte order mark', async () => {
    const line = (id: string) => JSON.stringify(post(id));
    const texts = [`\uFEFF${line('11')}\r\n\r\n  \n${line(A)}\r\n`, `${line(B)}\n`];
    await fixture.importBytes(Buffer.concat(texts.map((text) => gzipSync(text))));
    await fixture.importBytes(Buffer.from(line('1500000000000000003')));
    expect(
      await Promise.all([A, B, '1500000000000000003'].map(async (id) => (await fixture.find(id))?.id)),
    ).toEqual([BigInt(A), BigInt(B), 1500000000000000003n]);
  });

  it('detects gzip by the first bytes, whatever the file name, and accepts an empty file', async () => {
    const files = [
      join(folder, 'plain.gz'),
      join(folder, 'packed.jsonl'),
      join(folder, 'empty.jsonl.gz'),
    ] as const;
    await writeFile(files[0], JSON.stringify(post(A)));
    await writeFile(files[1], gzipSync(JSON.stringify(post(B))));
    await writeFile(files[2], gzipSync(''));
    const result = await importTwarc(fixture.parts, await Promise.all(files.map(fileSource)));
    expect(result).toMatchObject({ files: 3, lines: 2, refused: 0, tallies: { posts: { new: 2 } } });
  });

  it('has versions replaced by an edit under their ids only, in either order', async () => {
    const edit_history_tweet_ids = [A, B];
    await fixture.importLines([post(A), post(B, { edit_history_tweet_ids })]);
    await fixture.importLines([page([post(A, { edit_history_tweet_ids })], [], NOON)]);
    expect(await fixture.rows('user_posts')).toEqual([`7 ${B}`]);
    expect((await fixture.find(A))?.detail.editHistory).toEqual([A, B]);
    expect(fixture.indexed.superseded).toContain(A);
  });
});

describe('importing an object again', () => {
  it('keeps the versions of a post that a later page does not tell', async () => {
    const history = { edit_history_tweet_ids: [A, B] };
    await fixture.importLines([page([post(A, history), post(B, history)], [], NOON)]);
    await fixture.importLines([page([post(A), post(B, { text: 'later' })], [], ONE)]);
    for (const id of [A, B]) expect((await fixture.find(id))?.detail.editHistory).toEqual([A, B]);
    expect(await fixture.find(B)).toMatchObject({ text: 'later' });
    expect(await fixture.rows('user_posts')).toEqual([`7 ${B}`]);
  });

  it('changes nothing for the same file', async () => {
    const lines = [syntheticPage(0, 50), syntheticPage(50, 50)];
    await fixture.importLines(lines);
    fixture.indexed.posts.length = 0;
    const again = await fixture.importLines(lines);
    expect(again.tallies.posts).toEqual({ new: 0, updated: 0, unchanged: 100, kept: 0 });
    expect(again.tallies.users).toMatchObject({ new: 0, updated: 0 });
    expect(fixture.indexed.posts).toEqual([]);
  });

  it('keeps later changes made here when the file is the same', async () => {
    const line = page([post(A, { public_metrics: { like_count: 4 } })], [], NOON);
    await fixture.importLines([line]);
    await fixture.engine.tx('like', (tx) => incrementPostCounts(tx, [[BigInt(A) as PostId, 'likes']]));
    await fixture.importLines([line]);
    expect((await fixture.countsOf(A))?.likes).toBe(5);
  });

  it.each([
    ['early first', [NOON, ONE]],
    ['late first', [ONE, NOON]],
  ])('keeps text, counts and profile of the later time: %s', async (_order, times) => {
    for (const time of times) {
      const late = time === ONE;
      const metrics = { public_metrics: { like_count: late ? 9 : 4 } };
      const author = user('7', 'alice', {
        name: late ? 'New' : 'Old',
        public_metrics: { tweet_count: late ? 2 : 1 },
      });
      await fixture.importLines([
        page([post(A, { text: late ? 'after' : 'before', ...metrics })], [author], time),
      ]);
    }
    expect(await fixture.find(A)).toMatchObject({ text: 'after' });
    expect((await fixture.countsOf(A))?.likes).toBe(9);
    expect(await findUser(fixture.engine, 7n as UserId)).toMatchObject({ name: 'New' });
    expect((await findUserCounts(fixture.engine, [7n as UserId])).get(7n as UserId)?.posts).toBe(2);
  });

  it('keeps the counts of an earlier sighting when the later one has none', async () => {
    await fixture.importLines([page([], [user('7', 'alice')], ONE)]);
    await fixture.importLines([page([], [user('7', 'alice', { public_metrics: { tweet_count: 5 } })], NOON)]);
    expect((await findUserCounts(fixture.engine, [7n as UserId])).get(7n as UserId)?.posts).toBe(5);
  });

  it('does not restore a post that was deleted here', async () => {
    await fixture.importLines([post(A)]);
    await fixture.engine.tx('delete', async (tx) => {
      const stored = await findPost(tx, BigInt(A) as PostId);
      if (!stored) throw new Error('not stored');
      await deletePost(tx, stored);
      await insertDeletedPost(tx, stored, 1);
    });
    expect((await fixture.importLines([post(A)])).tallies.posts).toMatchObject({ new: 0, kept: 1 });
    expect(await fixture.find(A)).toBeUndefined();
  });

  it('of two reposts by a user lists one, which the deletion of the other leaves', async () => {
    const repost = (id: string) =>
      post(id, {
        author_id: '8',
        text: 'RT @alice: hello',
        referenced_tweets: [{ type: 'retweeted', id: A }],
      });
    await fixture.importLines([post(A), repost(B), repost(C)]);
    const listed = () => findRepostId(fixture.engine, BigInt(A) as PostId, 8n as UserId);
    const first = String(await listed());
    const [other = ''] = [B, C].filter((id) => id !== first);
    const remove = (id: string) =>
      fixture.engine.tx('delete', async (tx) => {
        const stored = await findPost(tx, BigInt(id) as PostId);
        if (!stored) throw new Error('not stored');
        await deletePostWithConsequences(tx, stored, 1);
      });
    await remove(other);
    expect(String(await listed())).toBe(first);
    await remove(first);
    expect(await listed()).toBeUndefined();
  });

  it('does not change posts and users created here', async () => {
    await fixture.importLines([page([post(A, { text: 'made here' })], [user('7', 'alice')])]);
    await fixture.makeLocal();
    const result = await fixture.importLines([
      page([post(A, { text: 'from a file' })], [user('7', 'other')], ONE),
    ]);
    expect(result.tallies).toMatchObject({ posts: { kept: 1 }, users: { kept: 1 } });
    expect(await fixture.find(A)).toMatchObject({ text: 'made here' });
    expect(await fixture.usernameOf('7')).toBe('alice');
  });
});
