import { forbidden, PipitError } from '../../core/errors.js';
import type { AuditEntry } from '../../core/audit.js';
import type { PostId, ReportCaseId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import { newestVersionId, wholeTextOf } from '../../core/post.js';
import type { Report, ReportCase, ReportReason } from '../../core/report.js';
import type { AccountStanding, User } from '../../core/user.js';
import type { Engine, Queryable, Tx } from '../../database/engine.js';
import { listAuditOf } from '../../stores/audit-log.js';
import { listActiveOperators } from '../../stores/operators.js';
import { findPost } from '../../stores/posts.js';
import { findCase, pageCases } from '../../stores/report-cases.js';
import { countReasons, countReports, listReports } from '../../stores/reports.js';
import { findUser, findUsers } from '../../stores/users.js';
import { asOperator } from '../accounts/authority.js';
import { standingOf } from '../accounts/standing.js';
import { recordAction } from '../audit/record-action.js';
import type { ServiceDeps } from '../service-deps.js';
import { decide } from './decide.js';
import { operatorText, requiredOperatorText } from './operator-text.js';

/** The newest reports that an operator reads, and the most that are counted. */
const SHOWN_REPORTS = 50;
const COUNTED_REPORTS = 1_000;

/** The newest entries of the audit log about the target. */
const SHOWN_ENTRIES = 50;

/** A case as lists show it. */
interface ListedCase extends ReportCase {
  /** How many members gave each reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: ReportReason; readonly count: number }[];
}

/** Lists the cases that are open or decided, newest first. */
export async function listCases(
  { engine }: { readonly engine: Engine },
  state: 'open' | 'closed',
  request: PageRequest,
): Promise<Page<ListedCase>> {
  const page = await pageCases(engine, state, request);
  const reasons = await countReasons(
    engine,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.map((each) => ({ ...each, reasons: reasons.get(each.id) ?? [] })) };
}

/** A case with everything that an operator needs to decide it. */
export interface CaseDetails {
  readonly found: ReportCase;
  readonly reports: readonly (Report & { readonly reporter: User | undefined })[];
  readonly reportCount: number;
  /** The reported user, or the author of the post, and its state; absent after the deletion of the account. */
  readonly user?: User;
  readonly standing?: AccountStanding;
  /** The text of the post now; absent after its deletion, and for users. */
  readonly textNow?: string;
  /** What operators did about the target, newest first. */
  readonly history: readonly AuditEntry[];
}

/** Returns a case with its reports, newest first; undefined if there is none. */
export async function findCaseDetails(
  { engine }: { readonly engine: Engine },
  id: ReportCaseId,
): Promise<CaseDetails | undefined> {
  const found = await findCase(engine, id);
  if (!found) return undefined;
  const reports = await listReports(engine, id, SHOWN_REPORTS);
  const reporters = await findUsers(
    engine,
    reports.map(({ reporterId }) => reporterId),
  );
  const user = await findUser(engine, found.userId);
  return {
    found,
    reports: reports.map((report) => ({ ...report, reporter: reporters.get(report.reporterId) })),
    reportCount: await countReports(engine, id, COUNTED_REPORTS),
    user,
    standing: user && (await standingOf(engine, user)),
    textNow: await textNow(engine, found),
    history: await listAuditOf(engine, { kind: found.kind, id: found.targetId }, SHOWN_ENTRIES),
  };
}

async function textNow(db: Queryable, { kind, targetId }: ReportCase): Promise<string | undefined> {
  const first = kind === 'post' ? await findPost(db, targetId as PostId) : undefined;
  const newest = first && ((await findPost(db, newestVersionId(first))) ?? first);
  return newest && wholeTextOf(newest).text;
}

/**
 * Closes an open case without consequences. Throws `forbidden` unless the user is an operator, and for cases about the
 * operator that another one can decide; `route-not-found` for a case that is not open.
 */
export async function dismissCase(
  deps: ServiceDeps,
  operatorId: UserId,
  id: ReportCaseId,
  text: string,
): Promise<void> {
  const reason = operatorText('note', text);
  return asOperator(deps, operatorId, 'dismiss reports', async (tx) => {
    const found = await requireOpen(tx, id);
    const operators = await listActiveOperators(tx);
    if (found.userId === operatorId && operators.length > 1) {
      throw forbidden('Another operator must decide about you.');
    }
    await decide(tx, deps, [found], 'dismissed');
    await recordAction(tx, deps, operatorId, { action: 'report.dismiss', target: targetOf(found), reason });
  });
}

/** Adds a note for operators to a case. Throws as `dismissCase` does, and `invalid-request` for an empty note. */
export async function noteOnCase(
  deps: ServiceDeps,
  operatorId: UserId,
  id: ReportCaseId,
  text: string,
): Promise<void> {
  const reason = requiredOperatorText('note', text);
  return asOperator(deps, operatorId, 'note on reports', async (tx) => {
    const found = await findCase(tx, id);
    if (!found) throw new PipitError({ code: 'route-not-found' });
    await recordAction(tx, deps, operatorId, { action: 'report.note', target: targetOf(found), reason });
  });
}

async function requireOpen(tx: Tx, id: ReportCaseId): Promise<ReportCase> {
  const found = await findCase(tx, id);
  if (!found || found.closedAtMs !== undefined) throw new PipitError({ code: 'route-not-found' });
  return found;
}

function targetOf({ kind, targetId, shown }: ReportCase) {
  const name = kind === 'post' ? `post of @${shown.username}` : `@${shown.username}`;
  return { kind, id: targetId, name };
}
