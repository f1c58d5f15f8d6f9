import type { AppId, DeliveryId, WebhookId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
  sql,
  type SqlValue,
} from '../database/sql.js';
import { defineTable, rowsChange, rowsQuery, valueQuery } from '../database/table.js';
import { numberDeliveries } from './webhook-dispatch.js';

/** A message to a webhook, and what became of it. */
export interface Delivery {
  /** In the order of creation. */
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Deliveries of a webhook with the same text arrive in order. */
  readonly subscription: string;
  /** JSON. */
  readonly body: string;
  readonly createdAtMs: number;
  /** True if it repeats an earlier delivery. */
  readonly isCopy: boolean;
  readonly attempts: number;
  /** The last attempt. */
  readonly triedAtMs?: number;
  /** The HTTP status of its answer. */
  readonly status?: number;
  /** Why it failed without an answer. */
  readonly error?: string;
  /** When it was delivered or given up; absent while it waits. */
  readonly endedAtMs?: number;
  readonly isDelivered: boolean;
}

/** The deliveries of a webhook with one subscription: the first one that waits blocks the others. */
export interface Lane {
  readonly webhookId: WebhookId;
  readonly subscription: string;
  /** The app of the webhook; absent if the webhook was deleted. */
  readonly appId?: AppId;
  /** The failed attempts of the first delivery that waits. */
  readonly failures: number;
  readonly failingSinceMs?: number;
}

type LaneKey = Pick<Lane, 'webhookId' | 'subscription'>;

/** A delivery to store; its number comes from `addDeliveries`. */
export type AddedDelivery = Pick<Delivery, 'webhookId' | 'subscription' | 'body' | 'createdAtMs' | 'isCopy'>;

/** The outcome of an attempt. */
export interface Attempt {
  readonly atMs: number;
  readonly status?: number;
  readonly error?: string;
}

const NOT_ENDED = 0;

const DELIVERIES = defineTable<Delivery, DeliveryId>('webhook_deliveries', 'id', {
  id: ['id', asId],
  webhookId: ['webhook_id', asId],
  subscription: ['subscription', asText],
  body: ['body', asText],
  createdAtMs: ['created_at', asNumber],
  isCopy: ['is_copy', asBoolean],
  attempts: ['attempts', asNumber],
  triedAtMs: ['tried_at', asOptionalNumber],
  status: ['status', asOptionalNumber],
  error: ['error', asOptionalText],
  endedAtMs: ['ended_at', asEnd, (endedAtMs) => endedAtMs ?? NOT_ENDED],
  isDelivered: ['is_delivered', asBoolean],
});

function asEnd(value: SqlValue | undefined): number | undefined {
  const endedAtMs = asNumber(value);
  return endedAtMs === NOT_ENDED ? undefined : endedAtMs;
}

export const findDelivery = DELIVERIES.find;

/** Stores deliveries that are due now, after all earlier ones of their lanes. */
export async function addDeliveries(tx: Tx, added: readonly AddedDelivery[]): Promise<void> {
  if (added.length === 0) return;
  const first = await numberDeliveries(tx, added.length);
  const deliveries = added.map((delivery, index) => ({
    ...delivery,
    id: (first + BigInt(index)) as DeliveryId,
    attempts: 0,
    triedAtMs: undefined,
    status: undefined,
    error: undefined,
    endedAtMs: undefined,
    isDelivered: false,
  }));
  await DELIVERIES.insertAll(tx, deliveries);
  const lanes = new Map(added.map((each) => [`${each.webhookId} ${each.subscription}`, each]));
  for (const { webhookId, subscription, createdAtMs } of lanes.values()) {
    // Writes an existing row too, so that it cannot be deleted meanwhile as one without deliveries.
    await tx.run(sql`
      INSERT INTO webhook_lanes (webhook_id, subscription, due_at, failures, failing_since)
      VALUES (${webhookId}, ${subscription}, ${createdAtMs}, 0, NULL)
      ON CONFLICT (webhook_id, subscription) DO UPDATE SET due_at = webhook_lanes.due_at`);
  }
}

/** Returns when the next lane is due after a time. */
export const findNextLaneMs = valueQuery<number | undefined, [afterMs: number]>(
  asOptionalNumber,
  'SELECT MIN(due_at) FROM webhook_lanes WHERE due_at > ?',
);

/**
 * Returns up to `limit` lanes that are due, at most `ofOne` of each webhook: first the longest due one of each webhook,
 * then the second ones, and so on, each longest due first.
 */
export const listDueLanes = rowsQuery<Lane, [nowMs: number, ofOne: number, limit: number]>(
  (row) => ({
    webhookId: asId(row.webhook_id),
    appId: asOptionalId(row.app_id),
    subscription: asText(row.subscription),
    failures: asNumber(row.failures),
    failingSinceMs: asOptionalNumber(row.failing_since),
  }),
  `SELECT l.webhook_id, w.app_id, l.subscription, l.failures, l.failing_since
  FROM (SELECT webhook_id, subscription, failures, failing_since, due_at,
      ROW_NUMBER() OVER (PARTITION BY webhook_id ORDER BY due_at, subscription) AS place
    FROM webhook_lanes WHERE due_at <= ?) l
  LEFT JOIN webhooks w ON w.id = l.webhook_id
  WHERE l.place <= ? ORDER BY l.place, l.due_at, l.webhook_id LIMIT ?`,
);

/** Reports whether deliveries to a webhook wait whose subscription begins with a text. */
export async function hasLaneOf(db: Queryable, webhookId: WebhookId, prefix: string): Promise<boolean> {
  const row = await db.get(sql`SELECT 1 AS found FROM webhook_lanes
    WHERE webhook_id = ${webhookId} AND subscription LIKE ${`${prefix}%`} LIMIT 1`);
  return row !== undefined;
}

/** Returns the first delivery that waits in a lane. */
export async function findWaiting(
  db: Queryable,
  { webhookId, subscription }: LaneKey,
): Promise<Delivery | undefined> {
  const [first] = await DELIVERIES.list(
    db,
    sql`webhook_id = ${webhookId} AND subscription = ${subscription} AND ended_at = ${NOT_ENDED}
      ORDER BY id LIMIT 1`,
  );
  return first;
}

/** Records that the first delivery of a lane arrived. The lane ends with its last delivery. */
export async function recordDelivered(
  tx: Tx,
  { id, webhookId, subscription }: Pick<Delivery, 'id'> & LaneKey,
  { atMs, status }: Attempt,
): Promise<void> {
  await tx.run(sql`UPDATE webhook_deliveries
    SET attempts = attempts + 1, tried_at = ${atMs}, status = ${status}, error = NULL, ended_at = ${atMs}, is_delivered = 1
    WHERE id = ${id}`);
  await tx.run(sql`UPDATE webhook_lanes SET failures = 0, failing_since = NULL
    WHERE webhook_id = ${webhookId} AND subscription = ${subscription}`);
  await endEmptyLane(tx, { webhookId, subscription });
}

/** Deletes a lane without deliveries that wait. */
export async function endEmptyLane(tx: Tx, { webhookId, subscription }: LaneKey): Promise<void> {
  await tx.run(sql`DELETE FROM webhook_lanes WHERE webhook_id = ${webhookId} AND subscription = ${subscription}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = ${webhookId}
      AND d.subscription = ${subscription} AND d.ended_at = ${NOT_ENDED})`);
}

/** Records that the first delivery of a lane failed. The lane is due again at `dueAtMs`. */
export async function recordFailed(
  tx: Tx,
  { id, webhookId, subscription }: Pick<Delivery, 'id'> & LaneKey,
  { atMs, status, error }: Attempt,
  dueAtMs: number,
): Promise<void> {
  await tx.run(sql`UPDATE webhook_deliveries
    SET attempts = attempts + 1, tried_at = ${atMs}, status = ${status}, error = ${error} WHERE id = ${id}`);
  await tx.run(sql`UPDATE webhook_lanes
    SET failures = failures + 1, failing_since = COALESCE(failing_since, ${atMs}), due_at = ${dueAtMs}
    WHERE webhook_id = ${webhookId} AND subscription = ${subscription}`);
}

/** Lets lanes that are due before a time go first. */
export async function postponeLane(
  tx: Tx,
  { webhookId, subscription }: LaneKey,
  dueAtMs: number,
): Promise<void> {
  await tx.run(sql`UPDATE webhook_lanes SET due_at = ${dueAtMs}
    WHERE webhook_id = ${webhookId} AND subscription = ${subscription} AND due_at < ${dueAtMs}`);
}

/** Gives up the deliveries of a lane that wait and were created up to a time. Returns how many. */
export const endOld = rowsChange<
  [nowMs: number, WebhookId, subscription: LaneKey['subscription'], createdUntilMs: number]
>(
  `UPDATE webhook_deliveries SET ended_at = ?
  WHERE webhook_id = ? AND subscription = ? AND ended_at = ${NOT_ENDED} AND created_at <= ?`,
);

/** Gives up all deliveries of a webhook that wait. Returns how many. */
export async function endLanes(tx: Tx, webhookId: WebhookId, nowMs: number): Promise<number> {
  await tx.run(sql`DELETE FROM webhook_lanes WHERE webhook_id = ${webhookId}`);
  return tx.run(sql`UPDATE webhook_deliveries SET ended_at = ${nowMs}
    WHERE webhook_id = ${webhookId} AND ended_at = ${NOT_ENDED}`);
}

/** Makes all lanes of a webhook due at once. */
export async function hastenLanes(tx: Tx, webhookId: WebhookId, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE webhook_lanes SET due_at = ${nowMs}, failures = 0, failing_since = NULL
    WHERE webhook_id = ${webhookId}`);
}

/** Returns the newest deliveries of a webhook, newest first. */
export function listRecentDeliveries(
  db: Queryable,
  webhookId: WebhookId,
  limit: number,
): Promise<Delivery[]> {
  return DELIVERIES.list(db, sql`webhook_id = ${webhookId} ORDER BY id DESC LIMIT ${limit}`);
}

/**
 * Returns up to `limit` deliveries of a webhook that ended, repeat no other one and were created between two times,
 * with ids above `above`, in order.
 */
export function listEnded(
  db: Queryable,
  webhookId: WebhookId,
  period: { readonly fromMs: number; readonly toMs: number; readonly above: DeliveryId },
  limit: number,
): Promise<Delivery[]> {
  return DELIVERIES.list(
    db,
    sql`webhook_id = ${webhookId} AND id > ${period.above} AND ended_at <> ${NOT_ENDED} AND is_copy = 0
      AND created_at BETWEEN ${period.fromMs} AND ${period.toMs} ORDER BY id LIMIT ${limit}`,
  );
}

/** Deletes up to `limit` deliveries that ended before a time. Returns how many. */
export function pruneDeliveries(tx: Tx, beforeMs: number, limit: number): Promise<number> {
  return tx.run(sql`DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE ended_at > ${NOT_ENDED} AND ended_at < ${beforeMs}
    ORDER BY ended_at LIMIT ${limit})`);
}
