import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { forbidden, PipitError } from '../../../core/errors.js';
import type { PostId, ReportCaseId } from '../../../core/ids.js';
import { MAX_OPERATOR_TEXT } from '../../../core/limits.js';
import type { ReportCase } from '../../../core/report.js';
import {
  dismissCase,
  findCaseDetails,
  noteOnCase,
  type CaseDetails,
} from '../../../services/moderation/cases.js';
import { removePost } from '../../../services/moderation/remove-post.js';
import { suspendAccount } from '../../../services/accounts/standing.js';
import { textField, type Faults } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { findInPath } from '../../id-in-path.js';
import { factList } from '../../lists.js';
import { postPath } from '../../posts/paths.js';
import { DECISION_WORDS, REASON_WORDS } from '../../report-words.js';
import { shownName } from '../../shown-name.js';
import { momentText, timeText } from '../../times.js';
import type { FormVisit, SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { auditList } from './audit-entries.js';
import { operatorPage, PATHS } from './operator-pages.js';

/** The page of a case: what was reported, by whom, and what an operator can do about it. */
export const reportCaseRoutes: CreateRoutes = (pages, context) => {
  const path = `${PATHS.reports}/{id}`;
  const { accounts } = context;
  type Act = (details: CaseDetails, visit: SignedInVisit<FormVisit>, text: string) => Promise<string>;
  const act = (action: keyof typeof FIELDS, run: Act) =>
    pages.acceptFromUser(`${path}/${action}`, async (visit) => {
      const details = await requireCase(visit, context);
      const field = FIELDS[action];
      return attempt(
        () => run(details, visit, visit.form.get(field) ?? ''),
        (faults) => showCase(visit, context, details, { action, faults }),
        (target) => visit.goTo(target),
      );
    });
  return [
    pages.showToUser(path, async (visit) => showCase(visit, context, await requireCase(visit, context))),
    act('dismiss', async ({ found }, { viewer }, text) => {
      await dismissCase(accounts, viewer.user.id, found.id, text);
      return doneAt(PATHS.reports, 'dismissed');
    }),
    act('note', async ({ found }, { viewer }, text) => {
      await noteOnCase(accounts, viewer.user.id, found.id, text);
      return doneAt(`${PATHS.reports}/${String(found.id)}`, 'noted');
    }),
    act('remove', async ({ found }, { viewer }, text) => {
      if (found.kind !== 'post') throw new PipitError({ code: 'route-not-found' });
      await removePost(accounts, viewer.user.id, found.targetId as PostId, text);
      return doneAt(PATHS.reports, 'removed');
    }),
    act('suspend', async ({ found }, { viewer }, reason) => {
      if (found.userId === viewer.user.id) throw forbidden('Another operator must decide about you.');
      await suspendAccount(accounts, found.userId, true, { operatorId: viewer.user.id, reason });
      return doneAt(PATHS.reports, 'suspended');
    }),
  ];
};

/** The text of each form; the ids of fields differ, because they are on one page. */
const FIELDS = { dismiss: 'note', note: 'note', remove: 'reason', suspend: 'reason' } as const;

function requireCase(visit: Visit, { accounts }: WebContext): Promise<CaseDetails> {
  return findInPath(visit, (id: ReportCaseId) => findCaseDetails(accounts, id));
}

/** The form that was refused. */
interface Refused {
  readonly action: keyof typeof FIELDS;
  readonly faults: Faults;
}

function showCase(
  visit: SignedInVisit,
  context: WebContext,
  details: CaseDetails,
  refused?: Refused,
): Answer {
  const { found, history } = details;
  const name = `@${found.shown.username}`;
  const title = found.kind === 'post' ? `Reported post by ${name}` : `Reported account ${name}`;
  return operatorPage(
    visit,
    { title, current: PATHS.reports, status: statusOf(refused?.faults ?? NO_FAULTS) },
    html`${doneNote(visit, { noted: 'Your note was added.' })} ${faultNote(refused?.faults ?? NO_FAULTS)}
      ${stateCard(details)} ${reportsCard(visit, context, details)}
      ${found.closedAtMs === undefined && decisionCard(visit, details, refused)}
      <div class="card">
        <h2>History</h2>
        ${auditList(history, context.clock(), html`<p>Nothing was done yet.</p>`)}
        ${actionForm(visit, found, 'note', { label: 'Note for operators', button: 'Add note', refused })}
      </div>
      <p><a href="${PATHS.reports}">Back to reports</a></p>`,
  );
}

const STANDINGS = {
  active: undefined,
  suspended: 'suspended',
  deactivated: 'deactivated by its owner',
  deleting: 'being deleted',
} as const;

/** Shows the target as it was at the first report, and what became of it. */
function stateCard({ found, user, standing, textNow }: CaseDetails): Html {
  const { kind, shown, targetId, closedAtMs, decision } = found;
  const { text, media = [], options = [] } = shown;
  const isPost = kind === 'post';
  const state = standing && STANDINGS[standing];
  return html`<div class="card">
    <h2>${isPost ? 'The post' : 'The account'} when it was first reported</h2>
    ${text !== '' && html`<p class="written reported" dir="auto">${text}</p>`}
    ${options.length > 0 && html`<p>Poll: ${options.join(' · ')}</p>`}
    ${media.map(
      ({ type, altText }) =>
        html`<p class="hint">${MEDIA_WORDS[type] ?? type}: ${altText ?? 'without a description'}</p>`,
    )}
    ${factList({
      [isPost ? 'Author' : 'User']: html`${
          user
            ? html`<a href="${PATHS.user}/${String(user.id)}">@${user.username}</a>`
            : html`@${shown.username}`
        } <bdi>${shownName(shown)}</bdi> ${state && html`<span class="mark">${state}</span>`}`,
      [isPost ? 'Written' : 'Joined']: momentText(shown.createdAtMs),
      Location: !isPost && shown.location,
      Website: !isPost && shown.url,
      Now: isPost && nowOf({ text, textNow, link: postPath(targetId as PostId, user) }),
      Decided:
        closedAtMs !== undefined &&
        html`${momentText(closedAtMs)}: ${DECISION_WORDS[decision ?? 'dismissed']}`,
    })}
  </div>`;
}

const MEDIA_WORDS: Readonly<Record<string, string>> = {
  photo: 'Picture',
  animated_gif: 'Animation',
  video: 'Video',
};

/** Says what became of a post since its first report. */
function nowOf({ text, textNow, link }: { text: string; textNow?: string; link: string }): Html {
  if (textNow === undefined) return html`Deleted since`;
  const seen = html`<a href="${link}">See the post</a>`;
  if (textNow === text) return html`Unchanged. ${seen}`;
  return html`Edited since. ${seen} <span class="written reported" dir="auto">${textNow}</span>`;
}

/** Lists who reported. Operators do not learn who reported themselves. */
function reportsCard(visit: SignedInVisit, { clock }: WebContext, details: CaseDetails): Html {
  const { found, reports, reportCount } = details;
  const isAboutViewer = found.userId === visit.viewer.user.id;
  return html`<div class="card">
    <h2>${reportCount} ${reportCount === 1 ? 'report' : 'reports'}</h2>
    ${isAboutViewer && html`<p>These are about you. Other operators see who sent them, and decide.</p>`}
    <ul class="entries">
      ${reports.map(
        ({ reason, comment, createdAtMs, reporter }) =>
          html`<li>
            <div class="what">
              <p>
                <strong>${REASON_WORDS[reason]}</strong>
                <span class="time">${timeText(createdAtMs, clock())}</span>
              </p>
              ${comment !== '' && html`<p class="written" dir="auto">${comment}</p>`}
              ${
                !isAboutViewer &&
                html`<p class="hint">
                  ${
                    reporter
                      ? html`by <a href="${PATHS.user}/${String(reporter.id)}">@${reporter.username}</a>`
                      : 'by a deleted account'
                  }
                </p>`
              }
            </div>
          </li>`,
      )}
    </ul>
    ${reportCount > reports.length && html`<p class="hint">The newest ${reports.length} are shown.</p>`}
  </div>`;
}

function decisionCard(visit: SignedInVisit, details: CaseDetails, refused: Refused | undefined): Html {
  const { found, textNow, standing } = details;
  const isAboutViewer = found.userId === visit.viewer.user.id;
  const canSuspend = !isAboutViewer && (standing === 'active' || standing === 'deactivated');
  return html`<div class="card">
    <h2>Decide</h2>
    ${
      textNow !== undefined &&
      actionForm(visit, found, 'remove', {
        label: 'Reason, which the author sees',
        button: 'Remove the post',
        refused,
      })
    }
    ${
      canSuspend &&
      actionForm(visit, found, 'suspend', {
        label: 'Reason, which the user sees',
        button: `Suspend @${found.shown.username}`,
        refused,
      })
    }
    ${actionForm(visit, found, 'dismiss', {
      label: 'Note for operators (optional)',
      button: 'Dismiss the reports',
      refused,
    })}
  </div>`;
}

interface ActionForm {
  readonly label: string;
  readonly button: string;
  readonly refused: Refused | undefined;
}

function actionForm(
  visit: SignedInVisit,
  { id }: ReportCase,
  action: keyof typeof FIELDS,
  { label, button, refused }: ActionForm,
): Html {
  const name = FIELDS[action];
  const isHarmful = action === 'remove' || action === 'suspend';
  return html`<form class="bar" method="post" action="${PATHS.reports}/${String(id)}/${action}">
    ${visit.csrfField()}
    ${textField({
      name,
      id: `${action}-${name}`,
      label,
      maxLength: MAX_OPERATOR_TEXT,
      fault: refused?.action === action ? refused.faults.get(name) : undefined,
    })}
    <button class="${isHarmful ? 'danger' : 'plain'}">${button}</button>
  </form>`;
}
