import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawSql } from '../../src/database/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { differencesIn } from './support/run-all-checks.js';

const START_MS = Date.parse('2022-10-07T22:42:12.000Z');
const { hello, reply, quote, repost } = POSTS;
const { alice, bob, carol } = USERS;
const LIST = '1500000000000000010';
const COMMUNITY = '1500000000000000020';

/** An id that nothing has. */
const NOBODY = '77';

/** What is there beside the standard world. */
const MORE = {
  lists: [{ id: LIST, owner: 'alice', name: 'Birds', members: ['bob'], followers: ['carol'] }],
  communities: [{ id: COMMUNITY, name: 'Herons', members: ['bob'] }],
  spaces: [{ id: '1space', creator: 'alice', title: 'Morning talk', state: 'live' }],
  posts: [
    { id: '1500000000000000030', author: 'alice', text: 'Good day @bob' },
    { id: '1500000000000000031', author: 'alice', text: 'Old', created_at: '2012-01-01T00:00:00Z' },
  ],
};

/** Statements after which stored data contradict each other; and the checks that find a difference. */
const CORRUPTIONS: Readonly<Record<string, readonly [statement: string, ...parts: string[]]>> = {
  'a lost follower': [
    `DELETE FROM followers WHERE follower_id = ${bob} AND user_id = ${alice}`,
    'followers',
    'user_counts',
  ],
  'an invented follower': [
    `INSERT INTO followers (user_id, follower_id, edge_id) VALUES (${bob}, ${carol}, 5)`,
    'followers',
    'user_counts',
  ],
  'a follower with another key': [
    `UPDATE followers SET edge_id = 5 WHERE user_id = ${alice}`,
    'followers',
    'notifications',
  ],
  'a lost block': ['DELETE FROM blocked_by', 'blocked_by'],
  'a lost liked post': [`DELETE FROM liked_posts WHERE user_id = ${carol}`, 'liked_posts'],
  'a lost membership': ['DELETE FROM list_memberships', 'list_memberships', 'user_counts'],
  'a lost followed List': ['DELETE FROM followed_lists', 'followed_lists'],
  'a lost owned List': ['DELETE FROM owned_lists', 'owned_lists'],
  'a lost pin': ['DELETE FROM list_pins', 'list_pins'],
  'a lost participant': [`DELETE FROM dm_memberships WHERE user_id = ${bob}`, 'dm_memberships'],
  'a lost username': [`DELETE FROM usernames WHERE user_id = ${bob}`, 'usernames'],
  'a lost key of an app': ['DELETE FROM api_keys', 'api_keys'],
  'a lost client id': ['DELETE FROM client_ids', 'client_ids'],
  'a Space that is not open': [`UPDATE created_spaces SET is_open = 0`, 'created_spaces'],
  'a lost post of a user': [`DELETE FROM user_posts WHERE post_id = ${quote}`, 'user_posts', 'user_counts'],
  'a post of a user with another time': [
    `UPDATE user_posts SET created_at = 5 WHERE post_id = ${quote}`,
    'user_posts',
  ],
  'an invented post of a user': [
    `INSERT INTO user_posts (user_id, post_id, created_at, is_reply, is_repost) VALUES (${carol}, 9, 0, 0, 0)`,
    'user_posts',
    'user_counts',
  ],
  'a lost reply': [`DELETE FROM replies WHERE reply_id = ${reply}`, 'replies', 'post_counts'],
  'a lost quote': [`DELETE FROM quotes WHERE quote_id = ${quote}`, 'quotes', 'post_counts'],
  'a lost repost': [
    `DELETE FROM reposts WHERE repost_id = ${repost}`,
    'reposts',
    'post_counts',
    'notifications',
  ],
  'a lost mention': ['DELETE FROM mentions', 'mentions'],
  'a mention in no post': [
    `INSERT INTO mentions (user_id, post_id, created_at) VALUES (${bob}, 9, 0)`,
    'mentions',
  ],
  'wrong counts of users': [
    `UPDATE user_counts SET followers = 9, posts = 0 WHERE user_id = ${alice}`,
    'user_counts',
  ],
  'a user without counts': [`DELETE FROM user_counts WHERE user_id = ${alice}`, 'user_counts'],
  'counts of nobody': [
    `INSERT INTO user_counts (user_id, followers, following, posts, listed) VALUES (${NOBODY}, 1, 1, 1, 1)`,
    'user_counts',
  ],
  'wrong counts of posts': [
    `UPDATE post_counts SET likes = 7, bookmarks = 0 WHERE post_id = ${hello}`,
    'post_counts',
  ],
  'a post without counts': [`DELETE FROM post_counts WHERE post_id = ${hello}`, 'post_counts'],
  'wrong counts of Lists': ['UPDATE list_counts SET members = 4', 'list_counts'],
  'wrong counts of communities': ['UPDATE community_counts SET members = 4', 'community_counts'],
  'wrong bytes of media': [
    `INSERT INTO media_usage (user_id, size_bytes) VALUES (${bob}, 12)`,
    'media_usage',
  ],
  'a like of a deleted post': [
    `INSERT INTO likes (post_id, user_id, edge_id) VALUES (${NOBODY}, ${bob}, 5)`,
    'likes',
    'liked_posts',
  ],
  'a follow of nobody': [
    `INSERT INTO follows (user_id, target_id, edge_id) VALUES (${bob}, ${NOBODY}, 5)`,
    'follows',
    'followers',
    'user_counts',
  ],
  'a mute of nobody': [
    `INSERT INTO mutes (user_id, target_id, edge_id) VALUES (${bob}, ${NOBODY}, 5)`,
    'mutes',
  ],
  'a hidden reply that is deleted': [
    `INSERT INTO hidden_replies (conversation_id, post_id) VALUES (${hello}, 9)`,
    'hidden_replies',
  ],
  'an inbox with a deleted message': [
    `INSERT INTO dm_inbox (user_id, position, event_id, conversation_id, type) VALUES (${carol}, 5, 5, '1-2', 'MessageCreate')`,
    'dm_inbox',
    'dm_threads',
  ],
  'a lost conversation': [`DELETE FROM dm_threads WHERE user_id = ${bob}`, 'dm_threads'],
  'another newest message': ['UPDATE dm_threads SET last_position = 3', 'dm_threads'],
  'a lost home entry': [`DELETE FROM home_entries WHERE post_id = ${hello}`, 'home_timelines'],
  'a home entry of a stranger': [
    `INSERT INTO home_entries (user_id, post_id, author_id, created_at) VALUES (${bob}, ${quote}, ${carol}, 0)`,
    'home_timelines',
  ],
  'a home entry that is deleted': [
    `INSERT INTO home_entries (user_id, post_id, author_id, created_at) VALUES (${bob}, 9, ${alice}, 0)`,
    'home_timelines',
  ],
  'a lost follow of a large author': ['DELETE FROM large_follows', 'large_follows', 'home_timelines'],
  'a follow of a large author that ended': [
    `INSERT INTO large_follows (user_id, author_id) VALUES (${bob}, ${carol})`,
    'large_follows',
  ],
  'a notification of a deleted post': [
    `INSERT INTO notifications (user_id, post_id, kind, opened_after, first_key, last_key)
      VALUES (${alice}, 9, 1, 0, 9, 9)`,
    'notifications',
  ],
  'a notification of likes that ended': [
    `INSERT INTO notifications (user_id, post_id, kind, opened_after, first_key, last_key)
      VALUES (${bob}, ${reply}, 4, 0, 9, 9)`,
    'notifications',
  ],
  'lost words of a user': [`DELETE FROM user_words WHERE user_id = ${bob}`, 'user_words'],
  'words that nobody has': [`INSERT INTO user_words (word, user_id) VALUES ('otter', ${bob})`, 'user_words'],
  'lost words of a community': ['DELETE FROM community_words', 'community_words'],
  'lost words of a Space': ['DELETE FROM space_tokens', 'space_tokens'],
  'an untimed post outside of the range': [
    `UPDATE search_untimed SET lowest_id = 9, highest_id = 8`,
    'search index',
  ],
};

let app: TestApp;
let bobToken: string;

/** Returns the checks that find a difference. */
async function partsWith(options?: { readonly mends: boolean }): Promise<string[]> {
  return [...new Set((await differencesIn(app, options)).map(({ of }) => of))].sort();
}

beforeAll(async () => {
  app = await startTestApp({ clock: () => START_MS });
  await app.load(MORE);
  const { engine } = app.pipit.backend;
  const aliceToken = await app.as('alice');
  bobToken = await app.as('bob');
  await app.post(`/2/users/${alice}/pinned_lists`, aliceToken, { list_id: LIST });
  await app.post(`/2/dm_conversations/with/${bob}/messages`, aliceToken, { text: 'Hello' });
  await engine.tx('grow dave', async (tx) => {
    await tx.run(rawSql(`INSERT INTO large_authors (user_id, is_ready) VALUES (${USERS.dave}, 1)`));
    await tx.run(rawSql(`INSERT INTO large_follows (user_id, author_id) VALUES (${bob}, ${USERS.dave})`));
  });
  await app.pipit.jobs.fanOut.runDue();
  await app.pipit.jobs.indexing.runDue();
});
afterAll(() => app.close());

test('a network without defects has no differences', async () => {
  expect(await differencesIn(app)).toEqual([]);
});

describe('a check finds, and mends', () => {
  test.each(Object.entries(CORRUPTIONS))('%s', async (_name, [statement, ...parts]) => {
    // Mended timelines are built again when they are read.
    await app.get(`/2/users/${bob}/timelines/reverse_chronological`, bobToken);
    await app.pipit.backend.engine.tx('corrupt', (tx) => tx.run(rawSql(statement)));
    const found = await partsWith();
    await partsWith({ mends: true });
    expect(await differencesIn(app)).toEqual([]);
    expect(found).toEqual(parts.sort());
  });

  test('documents of the search index that are missing, wrong or of deleted posts', async () => {
    const { engine } = app.pipit.backend;
    const document = (id: string) => ({ id: BigInt(id) as never, runs: 'otter', facets: 'from:1' });
    await engine.tx('corrupt', async (tx) => {
      await engine.search.remove(tx, [BigInt(quote) as never]);
      await engine.search.put(tx, [document(hello), document('9')]);
    });
    const [found] = await differencesIn(app);
    expect(found).toMatchObject({ of: 'search index', differing: 3 });
    await partsWith({ mends: true });
    expect(await differencesIn(app)).toEqual([]);
  });
});

test('a server shows mended counts at once', async () => {
  const shown = async (): Promise<unknown> =>
    (await app.get(`/2/tweets/${hello}?tweet.fields=public_metrics`, app.bearer)).body.data.public_metrics;
  const before = await shown();
  await app.pipit.backend.engine.tx('corrupt', (tx) =>
    tx.run(rawSql(`UPDATE post_counts SET likes = 900 WHERE post_id = ${hello}`)),
  );
  expect(await shown()).toMatchObject({ like_count: 900 });
  await partsWith({ mends: true });
  expect(await shown()).toEqual(before);
});
