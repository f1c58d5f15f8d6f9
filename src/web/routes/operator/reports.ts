import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { ReportCase } from '../../../core/report.js';
import { listCases } from '../../../services/moderation/cases.js';
import { doneNote } from '../../forms.js';
import { entryList, type Entry } from '../../lists.js';
import { DECISION_WORDS, REASON_WORDS } from '../../report-words.js';
import { plainLine } from '../../../core/plain-line.js';
import { timeText } from '../../times.js';
import type { Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { olderLink, operatorPage, PATHS, requestOf } from './operator-pages.js';

/** Reports from members, grouped by what they are about: the open ones, or with `state=closed` the decided ones. */
export const reportListRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(PATHS.reports, (visit) => showList(visit, context)),
];

type ListedCase = Awaited<ReturnType<typeof listCases>>['items'][number];

async function showList(visit: Visit, { accounts, clock }: WebContext): Promise<Answer> {
  const state = visit.query.get('state') === 'closed' ? 'closed' : 'open';
  const { items, next } = await listCases(accounts, state, requestOf(visit));
  const none =
    state === 'open'
      ? 'No open reports. Members report posts and accounts from their menus.'
      : 'Nothing has been decided in the last 90 days.';
  return operatorPage(
    visit,
    { title: 'Reports', current: PATHS.reports },
    html`${doneNote(visit, DONE)}
      <p class="lead">
        ${
          state === 'open'
            ? html`Open reports, newest first.
                <a href="${PATHS.reports}?state=closed">Show decided reports</a>`
            : html`Decided reports, kept for 90 days. <a href="${PATHS.reports}">Show open reports</a>`
        }
      </p>
      ${entryList(items, (each) => entry(each, clock()), html`<p class="absent">${none}</p>`)}
      ${olderLink(PATHS.reports, next, state === 'closed' ? { state } : {})}`,
  );
}

const DONE = {
  dismissed: 'The reports were dismissed.',
  removed: 'The post was removed. Its author sees the reason.',
  suspended: 'The user was suspended.',
} as const;

function entry({ id, kind, shown, reasons, openedAtMs, decision }: ListedCase, nowMs: number): Entry {
  const count = reasons.reduce((sum, reason) => sum + reason.count, 0);
  return {
    what: html`<p>
        <a href="${PATHS.reports}/${String(id)}"
          ><strong>${kind === 'post' ? 'Post by' : 'Account'} @${shown.username}</strong></a
        >
        ${decision && html`<span class="mark">${DECISION_WORDS[decision]}</span>`}
      </p>
      ${shown.text !== '' && html`<p class="excerpt" dir="auto">${excerptOf({ shown })}</p>`}
      <p class="hint">
        ${count} ${count === 1 ? 'report' : 'reports'}:
        ${reasons.map(({ reason, count: times }) => `${REASON_WORDS[reason]} (${times})`).join(', ')} ·
        ${timeText(openedAtMs, nowMs)}
      </p>`,
  };
}

const MAX_EXCERPT = 140;

/** Returns the beginning of the reported text in one line. */
function excerptOf({ shown }: Pick<ReportCase, 'shown'>): Html | string {
  const characters = [...plainLine(shown.text)];
  const text = characters.slice(0, MAX_EXCERPT).join('');
  return characters.length > MAX_EXCERPT ? `${text}…` : text;
}
