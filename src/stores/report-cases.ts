import type { PostId, ReportCaseId, UserId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Decision, ReportCase, ReportTarget } from '../core/report.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asId,
  asNumber,
  asOptionalNumber,
  asOptionalText,
  asPresentJson,
  asText,
  sql,
  toJson,
} from '../database/sql.js';
import { countQuery, defineTable, rowChange } from '../database/table.js';

const CASES = defineTable<ReportCase, ReportCaseId>('report_cases', 'id', {
  id: ['id', asId],
  kind: ['kind', asText],
  targetId: ['target_id', asId<PostId | UserId>],
  userId: ['user_id', asId],
  shown: ['shown', asPresentJson, toJson],
  openedAtMs: ['opened_at', asNumber],
  closedAtMs: ['closed_at', asOptionalNumber],
  decision: ['decision', asOptionalText],
});

export const findCase = CASES.find;

/** Stores a case. Returns false if the target has an open one. */
export const insertCase = CASES.insertNew;

/** Returns the open case of a post or user. */
export async function findOpenCase(
  db: Queryable,
  { kind, id }: ReportTarget,
): Promise<ReportCase | undefined> {
  return (await CASES.list(db, sql`target_id = ${id} AND kind = ${kind} AND closed_at IS NULL`))[0];
}

/** Returns the open cases about a user: of the account, and of its posts. */
export function listOpenCasesAbout(db: Queryable, userId: UserId): Promise<ReportCase[]> {
  return CASES.list(db, sql`user_id = ${userId} AND closed_at IS NULL`);
}

/** Returns a page of the cases that are open or closed, newest first. */
export function pageCases(
  db: Queryable,
  state: 'open' | 'closed',
  request: PageRequest,
): Promise<Page<ReportCase>> {
  return CASES.page(db, state === 'open' ? sql`closed_at IS NULL` : sql`closed_at IS NOT NULL`, request);
}

/** Counts the open cases, up to `limit`. */
export const countOpenCases = countQuery<[limit: number]>(
  '(SELECT 1 FROM report_cases WHERE closed_at IS NULL LIMIT ?) capped',
);

/** Closes a case with a decision. Returns false if it is closed. */
export const closeCase: (
  tx: Tx,
  decision: Decision,
  closedAtMs: number,
  id: ReportCaseId,
) => Promise<boolean> = rowChange<[Decision, number, ReportCaseId]>(
  'UPDATE report_cases SET decision = ?, closed_at = ? WHERE id = ? AND closed_at IS NULL',
);

/** Deletes up to `limit` cases that were closed before a time, with their reports. */
export async function deleteOldCases(tx: Tx, beforeMs: number, limit: number): Promise<void> {
  const old = sql`SELECT id FROM report_cases WHERE closed_at < ${beforeMs} ORDER BY closed_at, id LIMIT ${limit}`;
  await tx.run(sql`DELETE FROM reports WHERE case_id IN (${old})`);
  await tx.run(sql`DELETE FROM report_cases WHERE id IN (${old})`);
}

/** Deletes what a user reported, with the open cases that nobody else reported, and the cases about the user. */
export async function deleteReportsOf(tx: Tx, userId: UserId): Promise<void> {
  const own = sql`SELECT case_id FROM reports WHERE reporter_id = ${userId}`;
  await tx.run(sql`
    DELETE FROM report_cases WHERE closed_at IS NULL AND id IN (${own})
      AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.case_id = report_cases.id AND r.reporter_id <> ${userId})`);
  await tx.run(sql`DELETE FROM reports WHERE reporter_id = ${userId}`);
  const about = sql`SELECT id FROM report_cases WHERE user_id = ${userId}`;
  await tx.run(sql`DELETE FROM reports WHERE case_id IN (${about})`);
  await tx.run(sql`DELETE FROM report_cases WHERE user_id = ${userId}`);
}
