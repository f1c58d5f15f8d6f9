import type { UserId } from '../../core/ids.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asId } from '../../database/sql.js';
import { lockUsers } from '../locks.js';
import type { CheckKind, Difference, Look, Part, Suspect } from './part.js';
import {
  deleteRow,
  findRow,
  findRows,
  insertRow,
  keyOf,
  nameOf,
  pagesOf,
  textOf,
  type Source,
  type Values,
} from './rows.js';

/** Rows that are stored a second time, to be found by another key. The columns of both sides are the same in order. */
interface Mirror {
  readonly kind: CheckKind;
  /** Decides. */
  readonly from: Source;
  readonly to: Source;
  /** The places of columns with users, whose locks keep others from changing the rows meanwhile. */
  readonly users: readonly number[];
}

const mirror = (from: Source, to: Source, users: readonly number[] = []): Mirror => ({
  kind: 'edges',
  from,
  to,
  users,
});

/** An edge in two tables: each has the two ends, the first table in the order of its key, and the same third column. */
function edge(
  [table, ...columns]: readonly [string, ...string[]],
  [other, ...others]: readonly [string, ...string[]],
  users: readonly number[],
): Mirror {
  return mirror(
    { table, columns, key: [0, 1] },
    // Keyed by the other end.
    { table: other, columns: others, key: [1, 0] },
    users,
  );
}

const IS_OPEN = `CASE WHEN state = 'ended' THEN 0 ELSE 1 END`;

const MIRRORS: readonly Mirror[] = [
  edge(
    ['follows', 'user_id', 'target_id', 'edge_id'],
    ['followers', 'follower_id', 'user_id', 'edge_id'],
    [0, 1],
  ),
  edge(['blocks', 'user_id', 'target_id'], ['blocked_by', 'blocker_id', 'user_id'], [0, 1]),
  edge(['likes', 'post_id', 'user_id', 'edge_id'], ['liked_posts', 'post_id', 'user_id', 'edge_id'], [1]),
  edge(
    ['list_members', 'list_id', 'user_id', 'edge_id'],
    ['list_memberships', 'list_id', 'user_id', 'edge_id'],
    [1],
  ),
  edge(
    ['list_followers', 'list_id', 'user_id', 'edge_id'],
    ['followed_lists', 'list_id', 'user_id', 'edge_id'],
    [1],
  ),
  edge(['pinned_lists', 'user_id', 'list_id'], ['list_pins', 'user_id', 'list_id'], [0]),
  edge(
    ['dm_participants', 'conversation_id', 'user_id'],
    ['dm_memberships', 'conversation_id', 'user_id'],
    [1],
  ),
  mirror(
    { table: 'users', columns: ['LOWER(username)', 'id'], key: [1] },
    { table: 'usernames', columns: ['username', 'user_id'], key: [0] },
    [1],
  ),
  mirror(
    { table: 'lists', columns: ['owner_id', 'id'], key: [1] },
    { table: 'owned_lists', columns: ['user_id', 'list_id'], key: [0, 1] },
    [0],
  ),
  mirror(
    { table: 'spaces', columns: ['creator_id', 'id', IS_OPEN], key: [1] },
    { table: 'created_spaces', columns: ['user_id', 'space_id', 'is_open'], key: [0, 1] },
    [0],
  ),
  mirror(
    { table: 'apps', columns: ['api_key', 'id'], key: [1] },
    { table: 'api_keys', columns: ['api_key', 'app_id'], key: [0] },
  ),
  mirror(
    { table: 'apps', columns: ['client_id', 'id'], key: [1] },
    { table: 'client_ids', columns: ['client_id', 'app_id'], key: [0] },
  ),
];

/** The checks of tables that repeat the rows of another one. */
export const MIRROR_PARTS: readonly Part[] = MIRRORS.map((each) => ({
  kind: each.kind,
  of: each.to.table,
  look: (db) => look(db, each),
}));

async function* look(db: Queryable, pair: Mirror): AsyncGenerator<Look> {
  const { from, to } = pair;
  for await (const rows of pagesOf(db, from))
    yield { checked: 0, suspects: await compare(db, pair, rows, to) };
  for await (const rows of pagesOf(db, to))
    yield { checked: rows.length, suspects: await compare(db, pair, rows, from) };
}

/** Returns the rows that are not the same in the other table. */
async function compare(
  db: Queryable,
  pair: Mirror,
  rows: readonly Values[],
  other: Source,
): Promise<Suspect[]> {
  const found = await findRows(
    db,
    other,
    rows.map((row) => keyOf(other, row)),
  );
  return rows
    .filter((row) => textOf(found.get(textOf(keyOf(other, row))) ?? []) !== textOf(row))
    .map((row) => ({
      name: nameOf(pair.to, pair.to.key, row),
      settle: (tx, mends) => settle(tx, pair, row, mends),
    }));
}

async function settle(tx: Tx, pair: Mirror, row: Values, mends: boolean): Promise<Difference | undefined> {
  const { from, to, users } = pair;
  if (mends)
    await lockUsers(
      tx,
      users.map((place) => asId<UserId>(row[place])),
    );
  const key = keyOf(to, row);
  const decisive = await findRow(tx, from, keyOf(from, row));
  const wanted = decisive && textOf(keyOf(to, decisive)) === textOf(key) ? decisive : undefined;
  const found = await findRow(tx, to, key);
  if (textOf(wanted ?? []) === textOf(found ?? [])) return undefined;
  if (mends && found) await deleteRow(tx, to, key);
  if (mends && wanted) await insertRow(tx, to, wanted);
  if (!found) return { what: `is missing, but in ${from.table}` };
  return { what: wanted ? `is not as in ${from.table}` : `is not in ${from.table}` };
}
