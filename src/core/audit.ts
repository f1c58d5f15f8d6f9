import type { AuditEntryId, UserId } from './ids.js';

/** What operators and the command line do, in the words of the audit log (docs/operations.md#audit-log). */
export const AUDIT_ACTIONS = [
  'report.dismiss',
  'report.note',
  'post.remove',
  'user.suspend',
  'user.restore',
  'user.appoint',
  'user.dismiss',
  'user.password',
  'user.password_link',
  'user.create',
  'user.delete',
  'user.protect',
  'user.unprotect',
  'user.subscribe',
  'user.unsubscribe',
  'user.scrub_places',
  'app.create',
  'app.update',
  'app.regenerate_keys',
  'app.delete',
  'token.create',
  'token.revoke',
  'invitation.create',
  'invitation.withdraw',
  'instance.update',
  'settings.sign_up',
  'job.retry',
  'job.delete',
  'command.run',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an action changed. Names are those of the time of the action. */
export interface AuditTarget {
  readonly kind: 'user' | 'post' | 'app' | 'invitation' | 'token' | 'job' | 'server';
  readonly id?: bigint;
  readonly name: string;
}

/** An entry of the audit log. */
export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly createdAtMs: number;
  /** Absent for the command line. */
  readonly operatorId?: UserId;
  /** The username; empty for the command line. */
  readonly operatorName: string;
  readonly action: AuditAction;
  readonly targetKind: AuditTarget['kind'];
  readonly targetId?: bigint;
  readonly targetName: string;
  /** What the operator gave as the reason, or noted; may be empty. */
  readonly reason: string;
  /** What changed, such as `access level: elevated`; may be empty. */
  readonly detail: string;
}
