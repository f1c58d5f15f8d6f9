import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/clock.js';
import { downloadExpiresAtMs, uploadExpiresAtMs, type ComplianceJob } from '../../core/compliance.js';
import { forbidden } from '../../core/errors.js';
import type { ComplianceUploadId } from '../../core/ids.js';
import { deriveKey } from '../secrets/vault.js';

/** What a link allows: to upload ids, to go on with one upload, or to download what was found. */
export type LinkPurpose = 'upload' | 'resume' | 'download';

/**
 * Links that carry their own permission: whoever has one may do what it was made for until it expires, without other
 * credentials (docs/api/compliance.md). The same job always has the same links.
 */
export interface ComplianceLinks {
  uploadUrl(job: ComplianceJob): string;
  downloadUrl(job: ComplianceJob): string;
  resumeUrl(job: ComplianceJob, uploadId: ComplianceUploadId): string;
  /**
   * Throws the 403 when the query of a link is not the signature for this purpose and these ids (decimal: the job's, the
   * upload's) with its expiry and nothing else, or when it has expired.
   */
  require(purpose: LinkPurpose, ids: readonly string[], rawQuery: string): void;
}

export function createComplianceLinks(deps: {
  readonly key: Uint8Array;
  readonly publicUrl: string;
  readonly clock: Clock;
}): ComplianceLinks {
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
    uploadUrl: (job) =>
      link(`/compliance/jobs/${job.id}/upload`, 'upload', [String(job.id)], uploadExpiresAtMs(job)),
    downloadUrl: (job) =>
      link(`/compliance/jobs/${job.id}/results`, 'download', [String(job.id)], downloadExpiresAtMs(job)),
    resumeUrl: (job, uploadId) =>
      link(
        `/compliance/jobs/${job.id}/upload/${uploadId}`,
        'resume',
        [String(job.id), String(uploadId)],
        uploadExpiresAtMs(job),
      ),
    require: (purpose, ids, rawQuery) => {
      const query = new URLSearchParams(rawQuery);
      const expires = query.get('expires') ?? '';
      const isGenuine = isSameText(query.get('signature') ?? '', sign(purpose, ids, expires));
      if (!isGenuine || query.size !== 2) throw forbidden('The signature of this URL is not valid.');
      if (deps.clock() >= Number(expires) * 1000) throw forbidden('This URL has expired.');
    },
  };
}

/** Takes as long whatever the texts have in common. */
function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
