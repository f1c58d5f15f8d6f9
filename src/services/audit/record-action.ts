import type { AuditAction, AuditTarget } from '../../core/audit.js';
import type { AuditEntryId, UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Tx } from '../../database/engine.js';
import { insertAuditEntry } from '../../stores/audit-log.js';
import { findUser } from '../../stores/users.js';
import type { ServiceDeps } from '../service-deps.js';

export type AuditDeps = Pick<ServiceDeps, 'ids' | 'clock'>;

/** What an operator does, and why. */
interface Action {
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly reason?: string;
  /** What changes. */
  readonly detail?: string;
}

/**
 * Adds an action to the audit log, in the transaction that does it. Without `operatorId` the command line does it.
 */
export async function recordAction(
  tx: Tx,
  { ids, clock }: AuditDeps,
  operatorId: UserId | undefined,
  { action, target, reason = '', detail = '' }: Action,
): Promise<void> {
  const operator = operatorId === undefined ? undefined : await findUser(tx, operatorId);
  await insertAuditEntry(tx, {
    id: ids.next<AuditEntryId>(),
    createdAtMs: clock(),
    operatorId,
    operatorName: operator?.username ?? '',
    action,
    targetKind: target.kind,
    targetId: target.id,
    targetName: target.name,
    reason,
    detail,
  });
}

/** Names a user as the target of an action. */
export function userTarget({ id, username }: Pick<User, 'id' | 'username'>): AuditTarget {
  return { kind: 'user', id, name: `@${username}` };
}
