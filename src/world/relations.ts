import type { EdgeId, UserId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { addFollow, requestFollowing, startBlocking, startFollowing } from '../services/relations/changes.js';
import { isBlockedEitherWay } from '../services/posts/action-rules.js';
import { insertBlock } from '../stores/blocks.js';
import { insertDmBlock } from '../stores/dm-blocks.js';
import { followedAmong } from '../stores/follows.js';
import { insertMute } from '../stores/mutes.js';
import { lockUsers } from '../stores/locks.js';
import { referencesIn, type Reference } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username, type WorldUser } from './users.js';

const relation = objectOf({ from: v.required(username), to: v.required(username) });
export const readRelations = listOf(relation);
export type WorldRelation = v.ValueOf<typeof relation>;

const follow = objectOf({
  from: v.required(username),
  to: v.required(username),
  pending: v.boolean(),
  id: idOf<EdgeId>(),
});
export const readFollows = listOf(follow);
export type WorldFollow = v.ValueOf<typeof follow>;

/** Checks that both users exist and are different. */
export async function checkRelations(
  entries: readonly WorldRelation[],
  { known, faults }: Check,
): Promise<void> {
  await known.requireUsers(referencesIn(entries, 'from', 'to'), faults);
  for (const { from, to, path } of entries) {
    if (from.toLowerCase() === to.toLowerCase()) faults.add(`${path}.to`, `is @${from}, as from is`);
  }
}

/** Checks follows: only protected accounts receive requests, and a user cannot both follow and request. */
export async function checkFollows(
  entries: readonly WorldFollow[],
  users: readonly WorldUser[],
  check: Check,
): Promise<void> {
  await checkRelations(entries, check);
  const { known, faults } = check;
  requireUnique(entries, 'id', ({ id }) => id, faults);
  const isProtected = await protectedUsers(entries, users, check);
  const first = new Map<string, WorldFollow>();
  for (const entry of entries) {
    const target = known.findUserId(entry.to);
    if (entry.pending && target !== undefined && !isProtected(target))
      faults.add(`${entry.path}.pending`, `@${entry.to} is not protected, so that nobody has to ask`);
    const pair = `${entry.from} ${entry.to}`.toLowerCase();
    const other = first.get(pair);
    if (!other) first.set(pair, entry);
    else if ((other.pending ?? false) !== (entry.pending ?? false))
      faults.add(`${entry.path}.pending`, `differs from ${other.path}, which is about the same two users`);
  }
}

async function protectedUsers(
  entries: readonly WorldFollow[],
  users: readonly WorldUser[],
  { known }: Check,
): Promise<(id: UserId) => boolean> {
  const declared = new Map(users.map((user) => [user.id, user.protected ?? false]));
  const targets = entries.flatMap(({ to, pending }) => (pending ? [known.findUserId(to)] : []));
  await known.lookups.users.load(targets.filter((id) => id !== undefined));
  return (id) => known.storedUser(id)?.protected ?? declared.get(id) ?? false;
}

/** Stores blocks. A block ends follows and requests between the two users, as in the interface. */
export async function storeBlocks(entries: readonly WorldRelation[], load: Load): Promise<void> {
  await lockStored(load, referencesIn(entries, 'from', 'to'));
  await storeEach('blocks', entries, load, (from, to) =>
    mayHaveTies(load, from, to)
      ? startBlocking(load.tx, load, from, to)
      : insertBlock(load.tx, from, to, load.edgeId()),
  );
}

/** Runs `store` for each entry and counts those for which it returns true. */
async function storeEach<E extends WorldRelation>(
  section: 'blocks' | 'dm_blocks' | 'follows' | 'mutes',
  entries: readonly E[],
  { known, added }: Load,
  store: (from: UserId, to: UserId, entry: E) => Promise<boolean>,
): Promise<void> {
  for (const entry of entries) {
    if (await store(known.userId(entry.from), known.userId(entry.to), entry)) added(section);
  }
}

/** Locks the users that other transactions see. */
export async function lockStored(
  { tx, known, newUsers }: Load,
  users: readonly Reference<string>[],
): Promise<void> {
  const ids = users.map(({ name }) => known.userId(name));
  await lockUsers(
    tx,
    ids.filter((id) => !newUsers.has(id)),
  );
}

function mayHaveTies({ newUsers }: Load, one: UserId, other: UserId): boolean {
  return !newUsers.has(one) && !newUsers.has(other);
}

/** Reports a block of the database alone: the file has none that matters (contradictions.ts). */
export async function isBlocked(load: Load, one: UserId, other: UserId): Promise<boolean> {
  return mayHaveTies(load, one, other) && isBlockedEitherWay(load.tx, one, other);
}

/** Stores follows and requests; later entries are newer. Skips pairs of users with a block between them. */
export async function storeFollows(entries: readonly WorldFollow[], load: Load): Promise<void> {
  await lockStored(load, referencesIn(entries, 'from', 'to'));
  await storeEach('follows', entries, load, async (from, to, { pending, id }) => {
    const { tx } = load;
    const deps =
      id === undefined ? load : { ...load, ids: { next: <T extends bigint>() => id as bigint as T } };
    if (!mayHaveTies(load, from, to)) return (pending ? requestFollowing : addFollow)(tx, deps, from, to);
    if (await isBlocked(load, from, to)) return false;
    // A request may have been accepted since an earlier load.
    if (pending && (await followedAmong(tx, from, [to])).size > 0) return false;
    return (pending ? requestFollowing : startFollowing)(tx, deps, from, to);
  });
}

export async function storeMutes(entries: readonly WorldRelation[], load: Load): Promise<void> {
  await storeEach('mutes', entries, load, (from, to) => insertMute(load.tx, from, to, load.edgeId()));
}

export async function storeDmBlocks(entries: readonly WorldRelation[], load: Load): Promise<void> {
  await storeEach('dm_blocks', entries, load, (from, to) => insertDmBlock(load.tx, from, to, load.edgeId()));
}
