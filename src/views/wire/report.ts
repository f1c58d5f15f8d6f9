import { date, id, oneOf, text } from '../../core/json-schema.js';
import { REPORT_REASONS, type Report, type ReportTarget } from '../../core/report.js';
import { presentDate } from '../present/dates.js';
import { byDefault, required, type Fields } from './field.js';

interface SentReport extends Report {
  readonly target: ReportTarget;
}

/** A report as its sender sees it (docs/api/pipit.md#reports). */
export const reportFields = {
  id: required(id, (report) => String(report.id)),
  post_id: byDefault(id, ({ target }) => (target.kind === 'post' ? String(target.id) : undefined)),
  user_id: byDefault(id, ({ target }) => (target.kind === 'user' ? String(target.id) : undefined)),
  reason: required(oneOf(...REPORT_REASONS), ({ reason }) => reason),
  comment: required(text, ({ comment }) => comment),
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
} satisfies Fields<SentReport>;
