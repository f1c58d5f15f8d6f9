import type { PostId, UserId } from '../../core/ids.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asId } from '../../database/sql.js';
import type { Difference, Look, Part } from '../../stores/checks/part.js';
import { findRows, pagesOf, textOf, type Source } from '../../stores/checks/rows.js';
import { listFollowedAll, listFollowersAfter } from '../../stores/follows.js';
import {
  deleteHomeTimeline,
  findHomeTimeline,
  HOME_DEPTH,
  listHomeEntries,
  lockHomeTimeline,
  listPostsOf,
  type HomeEntry,
} from '../../stores/home-timelines.js';
import { hasJobWith } from '../../stores/jobs.js';
import { deleteLargeFollow, insertLargeFollows, listLargeFollows } from '../../stores/large-authors.js';
import { findPendingAmong } from '../../stores/pending-fan-outs.js';
import { MAYBE_CUT } from '../timelines/home-writes.js';

const WARM: Source = { table: 'home_timelines', columns: ['user_id'], key: [0] };

/** The checks of home timelines and of what they read from large authors. */
export const HOME_PARTS: readonly Part[] = [
  { kind: 'timelines', of: 'large_follows', look: lookAtLarge },
  { kind: 'timelines', of: 'home_timelines', look: lookAtHomes },
];

async function* lookAtHomes(db: Queryable): AsyncGenerator<Look> {
  for await (const rows of pagesOf(db, WARM, 100)) {
    const wrong: UserId[] = [];
    for (const [id] of rows)
      if ((await differenceOf(db, asId(id))) !== undefined) wrong.push(asId<UserId>(id));
    const suspects = wrong.map((id) => ({
      name: `home_timelines user_id=${id}`,
      settle: (tx: Tx, mends: boolean) => settleHome(tx, id, mends),
    }));
    yield { checked: rows.length, suspects };
  }
}

/** A timeline that is made cold is built again when it is read. */
async function settleHome(tx: Tx, userId: UserId, mends: boolean): Promise<Difference | undefined> {
  if (mends) await lockHomeTimeline(tx, userId);
  const what = await differenceOf(tx, userId);
  if (what === undefined) return undefined;
  if (mends) await deleteHomeTimeline(tx, userId);
  return { what };
}

/** Returns what is wrong with a timeline (docs/design/timelines.md#home-timelines). */
async function differenceOf(db: Queryable, userId: UserId): Promise<string | undefined> {
  if (!(await findHomeTimeline(db, userId))?.isBuilt) return undefined;
  const entries = await listHomeEntries(db, userId);
  const followed = new Set(await listFollowedAll(db, userId));
  const strange = entries.find(({ authorId }) => !followed.has(authorId));
  if (strange) return `has post ${strange.postId} of an author who is not followed`;
  for (const authorId of await listLargeFollows(db, userId)) followed.delete(authorId);
  // Entries behind the depth may have been removed.
  const lowest = entries.at(-1)?.postId;
  const above = entries.length >= MAYBE_CUT && lowest !== undefined ? lowest : (-1n as PostId);
  const posts = await listPostsOf(db, [...followed], above, HOME_DEPTH);
  const missing = await findMissing(db, entries, posts);
  if (missing !== undefined) return `lacks post ${missing}`;
  const gone = await findGone(db, entries);
  return gone === undefined ? undefined : `has post ${gone}, which is deleted`;
}

/** Returns a post that is no entry, and that no fan-out brings. */
async function findMissing(
  db: Queryable,
  entries: readonly HomeEntry[],
  posts: readonly PostId[],
): Promise<PostId | undefined> {
  const known = new Set(entries.map(({ postId }) => postId));
  const missing = posts.filter((id) => !known.has(id));
  if (missing.length === 0) return undefined;
  const pending = await findPendingAmong(db, missing);
  return missing.find((id) => !pending.has(id));
}

/** Returns an entry whose post its author does not have, and that no job removes. */
async function findGone(db: Queryable, entries: readonly HomeEntry[]): Promise<PostId | undefined> {
  const source = { table: 'user_posts', columns: ['user_id', 'post_id'], key: [0, 1] };
  const keys = entries.map(({ authorId, postId }) => [authorId, postId]);
  const found = await findRows(db, source, keys);
  for (const { authorId, postId } of entries) {
    if (found.has(textOf([authorId, postId]))) continue;
    if (!(await hasJobWith(db, 'retract-post', JSON.stringify(String(postId))))) return postId;
  }
  return undefined;
}

const LARGE_FOLLOWS: Source = { table: 'large_follows', columns: ['user_id', 'author_id'], key: [0, 1] };
const FOLLOWS: Source = { table: 'follows', columns: ['user_id', 'target_id'], key: [0, 1] };
const LARGE_AUTHORS: Source = { table: 'large_authors', columns: ['user_id', 'is_ready'], key: [0] };

async function* lookAtLarge(db: Queryable): AsyncGenerator<Look> {
  for await (const rows of pagesOf(db, LARGE_FOLLOWS)) {
    const found = await findRows(db, FOLLOWS, rows);
    const extra = rows.filter((row) => !found.has(textOf(row)));
    yield {
      checked: rows.length,
      suspects: extra.map(([user, author]) => suspectOf(asId(user), asId(author))),
    };
  }
  for await (const authors of pagesOf(db, LARGE_AUTHORS))
    for (const [author, isReady] of authors)
      if (Number(isReady) === 1) yield* lookAtFollowers(db, asId(author));
}

/** Looks for followers of a large author who would not read its posts. */
async function* lookAtFollowers(db: Queryable, authorId: UserId): AsyncGenerator<Look> {
  let after: UserId | undefined;
  do {
    const followers: UserId[] = await listFollowersAfter(db, authorId, after, FOLLOWERS);
    const keys = followers.map((id) => [id, authorId]);
    const found = await findRows(db, LARGE_FOLLOWS, keys);
    const missing = followers.filter((id) => !found.has(textOf([id, authorId])));
    yield { checked: 0, suspects: missing.map((id) => suspectOf(id, authorId)) };
    after = followers.length < FOLLOWERS ? undefined : followers.at(-1);
  } while (after !== undefined);
}

const FOLLOWERS = 1_000;

function suspectOf(userId: UserId, authorId: UserId): Look['suspects'][number] {
  return {
    name: `large_follows user_id=${userId} author_id=${authorId}`,
    settle: (tx, mends) => settleLarge(tx, userId, authorId, mends),
  };
}

async function settleLarge(
  tx: Tx,
  userId: UserId,
  authorId: UserId,
  mends: boolean,
): Promise<Difference | undefined> {
  const key = [userId, authorId];
  const follows = (await findRows(tx, FOLLOWS, [key])).size > 0;
  const isListed = (await findRows(tx, LARGE_FOLLOWS, [key])).size > 0;
  if (follows === isListed) return undefined;
  if (mends && follows) await insertLargeFollows(tx, authorId, [userId]);
  if (mends && isListed) await deleteLargeFollow(tx, userId, authorId);
  return { what: follows ? 'is missing' : 'is no follow' };
}
