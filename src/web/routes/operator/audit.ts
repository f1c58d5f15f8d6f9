import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { AUDIT_ACTIONS } from '../../../core/audit.js';
import { COMMAND_LINE, readAuditLog, type AuditQuery } from '../../../services/audit/read-log.js';
import { selectField, textField, type Faults } from '../../fields.js';
import { attempt, NO_FAULTS, statusOf } from '../../forms.js';
import type { Visit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { ACTION_WORDS, auditList } from './audit-entries.js';
import { olderLink, operatorPage, PATHS, requestOf } from './operator-pages.js';

/** The audit log: who did what, when and why, filtered by person, action and time. */
export const auditRoutes: CreateRoutes = (pages, { accounts, clock }) => [
  pages.showToUser(PATHS.audit, (visit) => {
    const sent = queryOf(visit);
    return attempt(
      () => readAuditLog(accounts, sent, requestOf(visit)),
      (faults) => auditPage(visit, sent, faults, html``),
      ({ items, next }) => {
        const filter = Object.entries(sent).filter(([, text]) => text !== '');
        return auditPage(
          visit,
          sent,
          NO_FAULTS,
          html`${auditList(items, clock(), html`<p class="absent">No such entries.</p>`)}
          ${olderLink(PATHS.audit, next, Object.fromEntries(filter))}`,
        );
      },
    );
  }),
];

function queryOf({ query }: Visit): AuditQuery {
  const text = (name: string): string => query.get(name) ?? '';
  return { by: text('by'), action: text('action'), from: text('from'), until: text('until') };
}

function auditPage(visit: Visit, sent: AuditQuery, faults: Faults, entries: Html): Answer {
  return operatorPage(
    visit,
    { title: 'Audit log', current: PATHS.audit, status: statusOf(faults) },
    html`<p class="lead">
        What operators did, on these pages and on the command line. Entries cannot be changed or deleted. By
        takes a username, or “${COMMAND_LINE}”.
      </p>
      ${filterForm(sent, faults)} ${entries}`,
  );
}

function filterForm({ by, action, from, until }: AuditQuery, faults: Faults): Html {
  return html`<form class="bar filters" method="get" action="${PATHS.audit}" role="search">
    ${textField({
      name: 'by',
      label: 'By',
      type: 'search',
      value: by,
      fault: faults.get('by'),
    })}
    ${selectField('action', 'Action', ACTION_CHOICES, action)}
    ${textField({ name: 'from', label: 'From', type: 'date', value: from, fault: faults.get('from') })}
    ${textField({ name: 'until', label: 'Until', type: 'date', value: until, fault: faults.get('until') })}
    <button>Filter</button>
  </form>`;
}

const ACTION_CHOICES = [
  ['', 'Any'],
  ...AUDIT_ACTIONS.map((each) => [each, ACTION_WORDS[each].replace(/:$/, '')] as const),
] as const;
