import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { ReportCaseId, ReportId, UserId } from '../../core/ids.js';
import { MAX_OPEN_REPORTS } from '../../core/limits.js';
import { newestVersionId } from '../../core/post.js';
import type { Report, ReportCase, ReportedState, ReportReason, ReportTarget } from '../../core/report.js';
import { userVisibility } from '../../core/visibility.js';
import type { Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/locks.js';
import { findPost } from '../../stores/posts.js';
import { findOpenCase, insertCase } from '../../stores/report-cases.js';
import { countOpenReportsBy, findReportBy, insertReport } from '../../stores/reports.js';
import { findUser } from '../../stores/users.js';
import { findVisibleOriginal, requireActive } from '../posts/action-rules.js';
import type { ServiceDeps } from '../service-deps.js';
import { stateOfPost, stateOfUser } from './reported-state.js';

/** What a member sends. */
export interface NewReport {
  readonly target: ReportTarget;
  readonly reason: ReportReason;
  readonly comment: string;
}

/** A report with what it is about, for its member. */
export interface SentReport extends Report {
  readonly target: ReportTarget;
}

export type ReportService = ReturnType<typeof createReportService>;

type ReportDeps = Pick<ServiceDeps, 'engine' | 'ids' | 'clock'>;

/** Creates the service for reports from members (docs/api/pipit.md#reports). */
export function createReportService(deps: ReportDeps) {
  return {
    /**
     * Reports a post or a user to the operators. While they have not decided, another report of the same member and
     * target changes nothing and returns the first. Throws 'resource-not-found' for what the member does not see, and
     * 'forbidden' for the member's own posts and account, and beyond the limit of open reports.
     */
    report: ({ userId }: UserPrincipal, report: NewReport): Promise<SentReport> =>
      deps.engine.tx('report', async (tx) => {
        // Serializes the reports of one member, so that the limit holds.
        await lockUsers(tx, [userId]);
        await requireActive(tx, userId);
        const reported = await findReported(tx, userId, report.target);
        if (reported.userId === userId) throw forbidden('You cannot report yourself.');
        const opened = await openCase(tx, deps, reported);
        const target = { kind: opened.kind, id: opened.targetId } as ReportTarget;
        return { ...(await addReport(tx, deps, { userId, caseId: opened.id, report })), target };
      }),
  };
}

interface Reported {
  readonly target: ReportTarget;
  /** The author of the post, or the user. */
  readonly userId: UserId;
  readonly shown: ReportedState;
}

/** Returns what is reported: the original of a repost. */
async function findReported(tx: Tx, viewerId: UserId, target: ReportTarget): Promise<Reported> {
  if (target.kind === 'user') {
    const user = await findUser(tx, target.id);
    if (!user || userVisibility(user) !== 'visible') {
      throw resourceNotFound({ resourceType: 'user', parameter: 'user_id', value: String(target.id) });
    }
    return { target, userId: user.id, shown: stateOfUser(user) };
  }
  const post = await findVisibleOriginal(tx, viewerId, target.id);
  const shown = post && ((await findPost(tx, newestVersionId(post))) ?? post);
  if (!shown) {
    throw resourceNotFound({ resourceType: 'tweet', parameter: 'post_id', value: String(target.id) });
  }
  return {
    target: { kind: 'post', id: post.id },
    userId: post.authorId,
    shown: await stateOfPost(tx, shown),
  };
}

async function openCase(
  tx: Tx,
  { ids, clock }: ReportDeps,
  { target, userId, shown }: Reported,
): Promise<ReportCase> {
  const open = await findOpenCase(tx, target);
  if (open) return open;
  const opened: ReportCase = {
    id: ids.next<ReportCaseId>(),
    kind: target.kind,
    targetId: target.id,
    userId,
    shown,
    openedAtMs: clock(),
  };
  await insertCase(tx, opened);
  return opened;
}

async function addReport(
  tx: Tx,
  { ids, clock }: ReportDeps,
  { userId, caseId, report }: { userId: UserId; caseId: ReportCaseId; report: NewReport },
): Promise<Report> {
  const same = await findReportBy(tx, caseId, userId);
  if (same) return same;
  if ((await countOpenReportsBy(tx, userId, MAX_OPEN_REPORTS)) >= MAX_OPEN_REPORTS) {
    throw forbidden(`You have ${MAX_OPEN_REPORTS} reports that are not decided yet.`);
  }
  const { reason, comment } = report;
  const id = ids.next<ReportId>();
  const added: Report = { id, caseId, reporterId: userId, reason, comment, createdAtMs: clock() };
  await insertReport(tx, added);
  return added;
}
