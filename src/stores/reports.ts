import type { ReportCaseId, ReportId, UserId } from '../core/ids.js';
import type { Report } from '../core/report.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, asText, list, sql } from '../database/sql.js';
import { countQuery, defineTable } from '../database/table.js';
import { grouped } from './grouped.js';

const REPORTS = defineTable<Report, ReportId>('reports', 'id', {
  id: ['id', asId],
  caseId: ['case_id', asId],
  reporterId: ['reporter_id', asId],
  reason: ['reason', asText],
  comment: ['comment', asText],
  createdAtMs: ['created_at', asNumber],
});

export const insertReport = REPORTS.insert;

/** Returns the report of a member in a case. */
export async function findReportBy(
  db: Queryable,
  caseId: ReportCaseId,
  reporterId: UserId,
): Promise<Report | undefined> {
  return (await REPORTS.list(db, sql`case_id = ${caseId} AND reporter_id = ${reporterId}`))[0];
}

/** Returns the newest reports of a case. */
export function listReports(db: Queryable, caseId: ReportCaseId, limit: number): Promise<Report[]> {
  return REPORTS.list(db, sql`case_id = ${caseId} ORDER BY id DESC LIMIT ${limit}`);
}

/** Counts the reports of a case, up to `limit`. */
export const countReports = countQuery<[caseId: ReportCaseId, limit: number]>(
  '(SELECT 1 FROM reports WHERE case_id = ? LIMIT ?) capped',
);

/** Counts the reports of a member in open cases, up to `limit`. */
export const countOpenReportsBy = countQuery<[reporterId: UserId, limit: number]>(
  `(SELECT 1 FROM reports r JOIN report_cases c ON c.id = r.case_id
    WHERE r.reporter_id = ? AND c.closed_at IS NULL LIMIT ?) capped`,
);

/** Returns how many members reported each case for each reason. */
export async function countReasons(
  db: Queryable,
  caseIds: readonly ReportCaseId[],
): Promise<Map<ReportCaseId, { readonly reason: Report['reason']; readonly count: number }[]>> {
  if (caseIds.length === 0) return new Map();
  const rows = await db.all(sql`
    SELECT case_id, reason, COUNT(*) AS n FROM reports WHERE case_id IN ${list(caseIds)}
    GROUP BY case_id, reason ORDER BY n DESC, reason`);
  return grouped(
    rows.map((row) => [
      asId<ReportCaseId>(row['case_id']),
      { reason: asText<Report['reason']>(row['reason']), count: asNumber(row['n']) },
    ]),
  );
}
