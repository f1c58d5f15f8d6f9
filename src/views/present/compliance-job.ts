import { downloadExpiresAtMs, uploadExpiresAtMs, type ComplianceFinding } from '../../core/compliance.js';
import type { ComplianceJob, ComplianceStatus, ComplianceSubject } from '../../core/compliance.js';
import { presentDate } from './dates.js';

/** How the wire names what the ids of a job are. */
const WIRE_SUBJECTS = { posts: 'tweets', users: 'users' } as const satisfies Record<
  ComplianceSubject,
  string
>;

/** A compliance job with its links (docs/api/objects.md#compliance-job): all fields, whichever were asked for. */
export function presentComplianceJob(
  job: Omit<ComplianceJob, 'status'> & {
    readonly status: ComplianceStatus;
    readonly uploadUrl: string;
    readonly downloadUrl: string;
    readonly estimatedCompletionMs?: number;
  },
): Record<string, unknown> {
  return {
    id: String(job.id),
    type: WIRE_SUBJECTS[job.subject],
    ...(job.name === undefined ? {} : { name: job.name }),
    created_at: presentDate(job.createdAtMs),
    upload_url: job.uploadUrl,
    upload_expires_at: presentDate(uploadExpiresAtMs(job)),
    download_url: job.downloadUrl,
    download_expires_at: presentDate(downloadExpiresAtMs(job)),
    ...(job.estimatedCompletionMs === undefined
      ? {}
      : { estimated_completion: presentDate(job.estimatedCompletionMs) }),
    status: job.status,
    resumable: job.resumable,
  };
}

/** One row of the results (docs/api/compliance.md). */
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
