import type { AppId, StreamConnectionId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { StreamConnection, StreamEnd, StreamName } from '../core/stream-connection.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asBoolean, asId, asNumber, asOptionalText, asText, list, sql, type Sql } from '../database/sql.js';
import { countQuery, defineTable, rowChange, rowsChange } from '../database/table.js';

const CONNECTIONS = defineTable<StreamConnection, StreamConnectionId>('stream_connections', 'id', {
  id: ['id', asId],
  uuid: ['uuid', asText],
  appId: ['app_id', asId],
  stream: ['stream', asText],
  partition: ['part', asNumber],
  isRecovery: ['is_recovery', asBoolean],
  clientAddress: ['client_address', asOptionalText],
  connectedAtMs: ['connected_at', asNumber],
  endsAtMs: ['ends_at', asNumber],
  reason: ['reason', asOptionalText],
});

export const insertStreamConnection = CONNECTIONS.insert;

/** Counts the open connections of an app to one stream, one partition, and one kind. */
export const countOpenConnections = countQuery<
  [AppId, StreamName, partition: number, isRecovery: number, nowMs: number]
>(`stream_connections
  WHERE app_id = ? AND stream = ? AND part = ? AND is_recovery = ? AND reason IS NULL AND ends_at > ?`);

/** Counts the open connections of all apps, up to `limit`. */
export const countOpenStreams = countQuery<[nowMs: number, limit: number]>(
  `(SELECT 1 FROM (SELECT reason, ends_at FROM stream_connections ORDER BY id DESC LIMIT 10000) newest
    WHERE reason IS NULL AND ends_at > ? LIMIT ?) capped`,
);

/** Which connections of an app to list. */
export interface ConnectionFilter {
  /** Open ones if true, ended ones if false, both if absent. */
  readonly isOpen?: boolean;
  /** Of all streams if empty. */
  readonly streams: ReadonlySet<StreamName>;
}

/** Lists the connections of an app, newest first. */
export function listConnections(
  db: Queryable,
  appId: AppId,
  { isOpen, streams }: ConnectionFilter,
  nowMs: number,
  request: PageRequest,
): Promise<Page<StreamConnection>> {
  const open = sql`(reason IS NULL AND ends_at > ${nowMs})`;
  const state = isOpen === undefined ? ANY : isOpen ? open : sql`NOT ${open}`;
  const chosen = streams.size === 0 ? ANY : sql`stream IN ${list([...streams])}`;
  return CONNECTIONS.page(db, sql`app_id = ${appId} AND ${state} AND ${chosen}`, request);
}

/** Returns the open connections of an app among all, those of a stream, or those with these names. */
export function listOpenConnections(
  db: Queryable,
  appId: AppId,
  nowMs: number,
  among: 'all' | { readonly stream: StreamName } | { readonly uuids: readonly string[] },
): Promise<StreamConnection[]> {
  const chosen =
    among === 'all'
      ? ANY
      : 'stream' in among
        ? sql`stream = ${among.stream}`
        : sql`uuid IN ${list(among.uuids)}`;
  return CONNECTIONS.list(
    db,
    sql`app_id = ${appId} AND ${chosen} AND reason IS NULL AND ends_at > ${nowMs} ORDER BY id`,
  );
}

/** Renews the open connections among these, which count as lost after `endsAtMs`. */
export const renewConnections = rowsChange<[endsAtMs: number, readonly StreamConnectionId[]]>(
  'UPDATE stream_connections SET ends_at = ? WHERE id IN ? AND reason IS NULL',
);

/** Records that a connection has ended. Returns false if that is recorded already. */
export const endConnection = rowChange<[endedAtMs: number, reason: StreamEnd, StreamConnectionId]>(
  'UPDATE stream_connections SET ends_at = ?, reason = ? WHERE id = ? AND reason IS NULL',
);

/** Records the end of all open connections, whose processes work on another copy of the database. */
export const endConnections = rowsChange<[endedAtMs: number, reason: StreamEnd]>(
  'UPDATE stream_connections SET ends_at = ?, reason = ? WHERE reason IS NULL',
);

/** Ends a connection from outside: the process that serves it learns from the feed. Returns false if it has ended. */
export async function killConnection(
  tx: Tx,
  { id, appId, uuid }: StreamConnection,
  killedAtMs: number,
): Promise<boolean> {
  if (!(await endConnection(tx, killedAtMs, 'ForceDisconnect', id))) return false;
  tx.emit({ kind: 'stream-killed', appId, uuid });
  return true;
}

/** Ends the open connections of an app from outside. */
export async function killConnectionsOf(tx: Tx, appId: AppId, killedAtMs: number): Promise<void> {
  const rows = await tx.all(
    sql`UPDATE stream_connections SET ends_at = ${killedAtMs}, reason = ${'ForceDisconnect'}
      WHERE app_id = ${appId} AND reason IS NULL RETURNING uuid`,
  );
  for (const row of rows) tx.emit({ kind: 'stream-killed', appId, uuid: asText(row['uuid']) });
}

/** Deletes the connections of an app. Those that are open end. */
export async function deleteConnectionsOf(tx: Tx, appId: AppId): Promise<void> {
  const rows = await tx.all(
    sql`DELETE FROM stream_connections WHERE app_id = ${appId} RETURNING uuid, reason`,
  );
  for (const row of rows) {
    if (row['reason'] === null) tx.emit({ kind: 'stream-killed', appId, uuid: asText(row['uuid']) });
  }
}

const ANY: Sql = sql`1 = 1`;
