import type { DeliveryId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, sql } from '../database/sql.js';
import { existsQuery, rowChange } from '../database/table.js';

/**
 * The only row of `webhook_dispatch`: which process dispatches, how far the feed has been read, and the number of the
 * last delivery. Writes name their holder, so that a former one cannot write any more.
 */

/** Returns the position up to which the feed has been read; undefined if no webhook was registered. */
export async function findDispatchPosition(db: Queryable): Promise<bigint | undefined> {
  const row = await db.get(sql`SELECT position FROM webhook_dispatch WHERE id = 1`);
  const position = asId<bigint>(row?.position);
  return position === NONE ? undefined : position;
}

const NONE = -1n;

/** Reports whether `takeDispatch` would succeed: a read, so that a process that waits does not write. */
export const mayTakeDispatch = existsQuery<[holder: bigint, nowMs: number]>(
  'SELECT 1 FROM webhook_dispatch WHERE id = 1 AND (holder = ? OR held_until <= ?)',
);

/** Becomes or stays the holder until a time. Returns false if another process is. */
export function takeDispatch(tx: Tx, holder: bigint, nowMs: number, untilMs: number): Promise<boolean> {
  return tx.runOne(sql`UPDATE webhook_dispatch SET holder = ${holder}, held_until = ${untilMs}
    WHERE id = 1 AND (held_until <= ${nowMs} OR holder = ${holder})`);
}

/** Lets another process become the holder at once. */
export const releaseDispatch = rowChange<[holder: bigint]>(
  'UPDATE webhook_dispatch SET holder = NULL, held_until = 0 WHERE id = 1 AND holder = ?',
);

/** Ends the lease of a holder that works on another copy of the database. */
export async function endDispatchLease(tx: Tx): Promise<void> {
  await tx.run(sql`UPDATE webhook_dispatch SET holder = NULL, held_until = 0 WHERE id = 1`);
}

/**
 * Records how far the feed has been read. Returns false and changes nothing for a former holder, and for a position
 * before the stored one.
 */
export function advanceDispatch(tx: Tx, holder: bigint, position: bigint): Promise<boolean> {
  return tx.runOne(sql`UPDATE webhook_dispatch SET position = ${position}
    WHERE id = 1 AND holder = ${holder} AND position <= ${position}`);
}

/** Starts reading the feed after a position unless it is read already. In the transaction that registers a webhook. */
export async function beginDispatch(tx: Tx, position: bigint): Promise<void> {
  await tx.run(sql`UPDATE webhook_dispatch SET position = ${position} WHERE id = 1 AND position = ${NONE}`);
}

/** Ends reading the feed if there are no webhooks left. */
export async function endDispatch(tx: Tx): Promise<void> {
  await tx.run(sql`UPDATE webhook_dispatch SET position = ${NONE}
    WHERE id = 1 AND NOT EXISTS (SELECT 1 FROM webhooks)`);
}

/** Takes `count` numbers for deliveries and returns the first. */
export async function numberDeliveries(tx: Tx, count: number): Promise<DeliveryId> {
  const row = await tx.get(sql`UPDATE webhook_dispatch SET last_delivery = last_delivery + ${count}
    WHERE id = 1 RETURNING last_delivery`);
  return BigInt(asNumber(row?.last_delivery) - count + 1) as DeliveryId;
}
