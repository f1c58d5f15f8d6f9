import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/clock.js';
import { downloadExpiresAtMs, uploadExpiresAtMs, type ComplianceJob } from '../../core/compliance.js';
import { forbidden } from '../../core/errors.js';
import type { ComplianceUploadId } from '../../core/ids.js';
import { deriveKey } from '../secrets/vault.js';

/** The action a link permits: start an upload, resume one, or download the results. */
export type LinkPurpose = 'upload' | 'resume' | 'download';

/**
 * Creates signed links (docs/api/compliance.md). A link grants its bearer one action until it expires, without other
 * credentials. The same job always has the same links.
 */
export function createComplianceLinks(deps: {
  readonly key: Uint8Array;
  readonly publicUrl: string;
  readonly clock: Clock;
}) {
  const key = deriveKey(deps.key, 'pipit compliance link v1');
  const sign = (purpose: LinkPurpose, ids: readonly string[], expires: string): string =>
    createHmac('sha256', key)
      .update([purpose, ...ids, expires].join(' '))
      .digest('base64url');
  const link = (path: string, purpose: LinkPurpose, ids: readonly string[], expiresAtMs: number): string => {
    const expires = String(Math.ceil(expiresAtMs / 1000));
    return `${deps.publicUrl}${path}?expires=${expires}&signature=${sign(purpose, ids, expires)}`;
  };
  return {
    uploadUrl: (job: ComplianceJob) =>
      link(`/compliance/jobs/${job.id}/upload`, 'upload', [String(job.id)], uploadExpiresAtMs(job)),
    downloadUrl: (job: ComplianceJob) =>
      link(`/compliance/jobs/${job.id}/results`, 'download', [String(job.id)], downloadExpiresAtMs(job)),
    resumeUrl: (job: ComplianceJob, uploadId: ComplianceUploadId) =>
      link(
        `/compliance/jobs/${job.id}/upload/${uploadId}`,
        'resume',
        [String(job.id), String(uploadId)],
        uploadExpiresAtMs(job),
      ),
    /**
     * Throws 403 when the link has expired, or when its query is anything other than `expires` and the
     * `signature` for this purpose and these ids (the decimal ids of the job and of the upload).
     */
    require: (purpose: LinkPurpose, ids: readonly string[], rawQuery: string) => {
      const query = new URLSearchParams(rawQuery);
      const expires = query.get('expires') ?? '';
      const isGenuine = isSameText(query.get('signature') ?? '', sign(purpose, ids, expires));
      if (!isGenuine || query.size !== 2) throw forbidden('The signature of this URL is not valid.');
      if (deps.clock() >= Number(expires) * 1000) throw forbidden('This URL has expired.');
    },
  };
}

/** Compares in constant time. */
function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
