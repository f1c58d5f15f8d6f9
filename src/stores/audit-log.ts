import type { AuditAction, AuditEntry, AuditTarget } from '../core/audit.js';
import { MAX_ID, type AuditEntryId, type UserId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, asOptionalId, asText, sql, type Sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** The log of what operators do. Nothing changes or deletes its entries. */
const LOG = defineTable<AuditEntry, AuditEntryId>('audit_log', 'id', {
  id: ['id', asId],
  createdAtMs: ['created_at', asNumber],
  operatorId: ['operator_id', asOptionalId<UserId>],
  operatorName: ['operator_name', asText],
  action: ['action', asText],
  targetKind: ['target_kind', asText],
  targetId: ['target_id', asOptionalId<bigint>],
  targetName: ['target_name', asText],
  reason: ['reason', asText],
  detail: ['detail', asText],
});

export const insertAuditEntry = LOG.insert;

/** Selects entries; absent members select all. */
export interface AuditFilter {
  /** An operator, or the command line. */
  readonly by?: UserId | 'command line';
  readonly action?: AuditAction;
  /** The first id that is wanted, and the first that is not. */
  readonly fromId?: bigint;
  readonly belowId?: bigint;
}

/** Returns a page of the entries that a filter selects, newest first. */
export function pageAuditLog(
  db: Queryable,
  { by, action, fromId = 0n, belowId = MAX_ID }: AuditFilter,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  const ofAction = action === undefined ? ALL : sql`action = ${action}`;
  const condition = sql`${byCondition(by)} AND ${ofAction} AND id >= ${fromId} AND id < ${belowId}`;
  return LOG.page(db, condition, request);
}

/** Returns the newest entries about a target. */
export function listAuditOf(
  db: Queryable,
  { kind, id }: { readonly kind: AuditTarget['kind']; readonly id: bigint },
  limit: number,
): Promise<AuditEntry[]> {
  return LOG.list(db, sql`target_id = ${id} AND target_kind = ${kind} ORDER BY id DESC LIMIT ${limit}`);
}

const ALL = sql`1 = 1`;

function byCondition(by: AuditFilter['by']): Sql {
  if (by === undefined) return ALL;
  return by === 'command line' ? sql`operator_id IS NULL` : sql`operator_id = ${by}`;
}
