import type { UserId } from '../../core/ids.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asId } from '../../database/sql.js';
import { isEmptyNotification } from '../notifications.js';
import type { Difference, Look, Part } from './part.js';
import { deleteRow, findRow, keyOf, nameOf, pagesOf, type Source, type Values } from './rows.js';

const NOTIFICATIONS: Source = {
  table: 'notifications',
  columns: ['user_id', 'post_id', 'kind', 'opened_after', 'first_key', 'last_key'],
  key: [0, 1, 2, 3],
};

/** The check for notifications of posts that are deleted, and of likes, reposts and follows of which none is left. */
export const NOTICE_PARTS: readonly Part[] = [{ kind: 'notifications', of: 'notifications', look }];

async function* look(db: Queryable): AsyncGenerator<Look> {
  for await (const rows of pagesOf(db, NOTIFICATIONS)) {
    const empty: Values[] = [];
    for (const row of rows) if (await isEmpty(db, row)) empty.push(row);
    const suspects = empty.map((row) => ({
      name: nameOf(NOTIFICATIONS, [0, 1, 2], row),
      settle: (tx: Tx, mends: boolean) => settle(tx, keyOf(NOTIFICATIONS, row), mends),
    }));
    yield { checked: rows.length, suspects };
  }
}

function isEmpty(db: Queryable, [user, post, kind, , first, last]: Values): Promise<boolean> {
  return isEmptyNotification(db, asId<UserId>(user), {
    post_id: post ?? null,
    kind: kind ?? null,
    first_key: first ?? null,
    last_key: last ?? null,
  });
}

async function settle(tx: Tx, key: Values, mends: boolean): Promise<Difference | undefined> {
  const row = await findRow(tx, NOTIFICATIONS, key);
  if (!row || !(await isEmpty(tx, row))) return undefined;
  if (mends) await deleteRow(tx, NOTIFICATIONS, key);
  return { what: 'is about nothing that is left' };
}
