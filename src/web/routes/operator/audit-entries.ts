import { html, type Html } from '../../../api/reference/html.js';
import type { AuditAction, AuditEntry } from '../../../core/audit.js';
import { entryList } from '../../lists.js';
import { timeText } from '../../times.js';
import { PATHS } from './operator-pages.js';

/** The actions of operators in words. */
export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  'report.dismiss': 'Dismissed the reports of',
  'report.note': 'Wrote a note about',
  'post.remove': 'Removed',
  'user.suspend': 'Suspended',
  'user.restore': 'Restored',
  'user.appoint': 'Made an operator:',
  'user.dismiss': 'Dismissed as an operator:',
  'user.password': 'Set the password of',
  'user.password_link': 'Created a password link for',
  'user.create': 'Created',
  'user.delete': 'Deleted',
  'user.protect': 'Protected the posts of',
  'user.unprotect': 'Opened the posts of',
  'user.subscribe': 'Gave a subscription to',
  'user.unsubscribe': 'Ended the subscription of',
  'user.scrub_places': 'Removed the places of',
  'app.create': 'Created the app',
  'app.update': 'Changed the app',
  'app.regenerate_keys': 'Regenerated the keys of the app',
  'app.delete': 'Deleted the app',
  'token.create': 'Issued a token for',
  'token.revoke': 'Revoked a token',
  'invitation.create': 'Created an invitation',
  'invitation.withdraw': 'Withdrew an invitation',
  'instance.update': 'Changed what the server says about itself',
  'settings.sign_up': 'Changed who may sign up',
  'job.retry': 'Ran again the job',
  'job.delete': 'Deleted the job',
  'command.run': 'Ran',
};

/** Returns entries of the audit log, or `none` if there are none. */
export function auditList(entries: readonly AuditEntry[], nowMs: number, none: Html): Html | undefined {
  return entryList(
    entries,
    ({
      operatorId,
      operatorName,
      action,
      targetName,
      targetKind,
      targetId,
      reason,
      detail,
      createdAtMs,
    }) => ({
      what: html`<p>
          ${
            operatorId === undefined
              ? 'Command line'
              : html`<a href="${PATHS.user}/${String(operatorId)}">@${operatorName}</a>`
          }:
          ${ACTION_WORDS[action]} ${targetLink({ targetKind, targetId, targetName })}
          <span class="time">${timeText(createdAtMs, nowMs)}</span>
        </p>
        ${detail !== '' && html`<p class="hint">${detail}</p>`}
        ${reason !== '' && html`<p class="written" dir="auto">${reason}</p>`}`,
    }),
    none,
  );
}

function targetLink({
  targetKind,
  targetId,
  targetName,
}: Pick<AuditEntry, 'targetKind' | 'targetId' | 'targetName'>): Html {
  const paths: Readonly<Record<string, string>> = { user: PATHS.user, app: PATHS.apps };
  const path = paths[targetKind];
  if (targetId === undefined || path === undefined) return html`<strong><bdi>${targetName}</bdi></strong>`;
  return html`<a href="${path}/${String(targetId)}"><bdi>${targetName}</bdi></a>`;
}
