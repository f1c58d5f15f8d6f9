import type { ReportCaseId, ReportId, UserId } from '../core/ids.js';
import type { Report } from '../core/report.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { countQuery, defineTable, groupQuery } from '../database/table.js';

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
export const countReasons = groupQuery<
  ReportCaseId,
  { readonly reason: Report['reason']; readonly count: number },
  [readonly ReportCaseId[]]
>(
  (row) => [asId(row['case_id']), { reason: asText(row['reason']), count: asNumber(row['n']) }],
  `SELECT case_id, reason, COUNT(*) AS n FROM reports WHERE case_id IN ?
  GROUP BY case_id, reason ORDER BY n DESC, reason`,
);
