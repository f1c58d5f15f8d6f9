import { downloadExpiresAtMs, uploadExpiresAtMs } from '../../core/compliance.js';
import type { ComplianceFinding, ShownComplianceJob } from '../../core/compliance.js';
import { date, described, flag, id, oneOf, text, url } from '../../core/json-schema.js';
import { presentDate } from '../present/dates.js';
import { byDefault, required, type Fields } from './field.js';
import { presenter } from './presenter.js';

const estimate = described(date, 'Until the job has ended; before the upload, if it came now.');

/** A compliance job (docs/api/objects.md#compliance-job). */
export const complianceJobFields = {
  id: required(id, (job) => String(job.id)),
  type: required(oneOf('tweets', 'users'), ({ subject }) => (subject === 'posts' ? 'tweets' : 'users')),
  name: byDefault(text, ({ name }) => name),
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  upload_url: required(url, ({ uploadUrl }) => uploadUrl),
  upload_expires_at: byDefault(date, (job) => presentDate(uploadExpiresAtMs(job))),
  download_url: required(url, ({ downloadUrl }) => downloadUrl),
  download_expires_at: byDefault(date, (job) => presentDate(downloadExpiresAtMs(job))),
  estimated_completion: {
    ...byDefault(estimate, ({ estimatedCompletionMs }) => presentDate(estimatedCompletionMs)),
    askedAs: null,
  },
  status: required(oneOf('created', 'in_progress', 'complete', 'failed', 'expired'), ({ status }) => status),
  resumable: byDefault(flag, ({ resumable }) => resumable),
} satisfies Fields<ShownComplianceJob>;

/** Presents a job with all its members, whatever the request asks for. */
export const presentComplianceJob = presenter(complianceJobFields, new Set());

/** Presents one row of the results (docs/api/compliance.md). */
export function presentComplianceFinding(finding: ComplianceFinding): Record<string, unknown> {
  const { id, reason, createdAtMs, redactedAtMs } = finding;
  return {
    id: String(id),
    action: 'delete',
    created_at: presentDate(createdAtMs),
    ...(redactedAtMs === undefined ? {} : { redacted_at: presentDate(redactedAtMs) }),
    reason,
  };
}
