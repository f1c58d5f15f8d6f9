import type { AppId, ComplianceJobId } from './ids.js';
import type { AccountState } from './visibility.js';

/** The kind of ids in a job. */
export type ComplianceSubject = 'posts' | 'users';

/** How long after its creation a job accepts ids, and serves results (docs/api/compliance.md). */
export const UPLOAD_WINDOW_MS = 15 * 60 * 1000;
export const DOWNLOAD_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** How far back lists of jobs go (docs/api/compliance.md, "recent"). */
export const LISTED_MS = 30 * 24 * 60 * 60 * 1000;

/** Ten million ids of 19 digits, each with a line end of two bytes. */
export const MAX_UPLOAD_BYTES = 210_000_000;

/** The stored status; `complianceStatus` applies the windows. */
export type StoredComplianceStatus = 'created' | 'in_progress' | 'complete' | 'failed';
export type ComplianceStatus = StoredComplianceStatus | 'expired';

/** A request of an app for changes to posts or users whose ids it stored (docs/api/objects.md). */
export interface ComplianceJob {
  readonly id: ComplianceJobId;
  readonly appId: AppId;
  readonly subject: ComplianceSubject;
  readonly name?: string;
  readonly resumable: boolean;
  readonly status: StoredComplianceStatus;
  readonly createdAtMs: number;
}

/** A job with its state and its links at the time of a request. */
export interface ShownComplianceJob extends Omit<ComplianceJob, 'status'> {
  readonly status: ComplianceStatus;
  readonly uploadUrl: string;
  readonly downloadUrl: string;
  /** Absent once the job has ended. */
  readonly estimatedCompletionMs?: number;
}

/** Returns when the upload window ends. */
export function uploadExpiresAtMs(job: Pick<ComplianceJob, 'createdAtMs'>): number {
  return job.createdAtMs + UPLOAD_WINDOW_MS;
}

/** Returns when the download window ends. */
export function downloadExpiresAtMs(job: Pick<ComplianceJob, 'createdAtMs'>): number {
  return job.createdAtMs + DOWNLOAD_WINDOW_MS;
}

/** Upper estimates for looking up the ids of an upload: the wait for a worker, and each part. */
const START_MS = 10_000;
const PART_MS = 200;

/** Returns the estimated end of a job with `partsLeft` parts to look up; undefined if it has ended. */
export function estimatedCompletionMs(
  status: ComplianceStatus,
  partsLeft: number,
  nowMs: number,
): number | undefined {
  if (status !== 'created' && status !== 'in_progress') return undefined;
  return nowMs + START_MS + partsLeft * PART_MS;
}

/**
 * Returns the status at a time: both windows expire (docs/api/compliance.md). A job still in progress at the end of
 * the download window has failed.
 */
export function complianceStatus(
  job: Pick<ComplianceJob, 'status' | 'createdAtMs'>,
  nowMs: number,
): ComplianceStatus {
  const isExpired = nowMs >= downloadExpiresAtMs(job);
  switch (job.status) {
    case 'created':
      return nowMs >= uploadExpiresAtMs(job) ? 'expired' : 'created';
    case 'in_progress':
      return isExpired ? 'failed' : 'in_progress';
    case 'complete':
      return isExpired ? 'expired' : 'complete';
    case 'failed':
      return 'failed';
  }
}

/** Why a holder of copies must act (docs/api/objects.md#visibility). */
export type ComplianceReason = 'deleted' | 'deactivated' | 'suspended' | 'protected' | 'scrub_geo';

/** An id that requires action. */
export interface ComplianceFinding {
  readonly id: bigint;
  readonly reason: ComplianceReason;
  /** When the post or account was created. */
  readonly createdAtMs: number;
  /** When it was deleted; absent if unknown. */
  readonly redactedAtMs?: number;
}

/** Returns the action that a stored account requires; undefined if none. */
export function reasonOfAccount(account: AccountState | undefined): ComplianceReason | undefined {
  if (account?.suspended) return 'suspended';
  return account?.protected ? 'protected' : undefined;
}

/** Returns the action that a stored post requires: that of its author or, for a repost, of the original's author. */
export function reasonOfPost(
  author: AccountState | undefined,
  originalAuthor: AccountState | undefined,
): ComplianceReason | undefined {
  return reasonOfAccount(author) ?? reasonOfAccount(originalAuthor);
}

/**
 * Returns why a post was deleted: with its author's account, whose deletion started at `accountDeletedAtMs`, or on
 * its own.
 */
export function reasonOfDeletedPost(
  deletedAtMs: number,
  accountDeletedAtMs: number | undefined,
): ComplianceReason {
  return accountDeletedAtMs !== undefined && accountDeletedAtMs <= deletedAtMs ? 'deactivated' : 'deleted';
}
