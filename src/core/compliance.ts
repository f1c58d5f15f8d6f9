import type { AppId, ComplianceJobId } from './ids.js';
import type { AccountState } from './visibility.js';

/** What the ids of a job name. */
export type ComplianceSubject = 'posts' | 'users';

/** The ids can be uploaded for so long, and the results fetched, both from the creation on (docs/api/compliance.md). */
export const UPLOAD_WINDOW_MS = 15 * 60 * 1000;
export const DOWNLOAD_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** Lists go back so far (docs/api/compliance.md, "recent"). */
export const LISTED_MS = 30 * 24 * 60 * 60 * 1000;

/** Ten million ids of 19 digits, each with a line end of two bytes. */
export const MAX_UPLOAD_BYTES = 210_000_000;

/** What is stored; how time changes it is told by `complianceStatus`. */
export type StoredComplianceStatus = 'created' | 'in_progress' | 'complete' | 'failed';
export type ComplianceStatus = StoredComplianceStatus | 'expired';

/** An app's question what became of the posts or users whose ids it kept (docs/api/objects.md). */
export interface ComplianceJob {
  readonly id: ComplianceJobId;
  readonly appId: AppId;
  readonly subject: ComplianceSubject;
  readonly name?: string;
  readonly resumable: boolean;
  readonly status: StoredComplianceStatus;
  readonly createdAtMs: number;
}

/** The moment from which on nothing can be uploaded. */
export function uploadExpiresAtMs(job: Pick<ComplianceJob, 'createdAtMs'>): number {
  return job.createdAtMs + UPLOAD_WINDOW_MS;
}

/** The moment from which on nothing can be downloaded. */
export function downloadExpiresAtMs(job: Pick<ComplianceJob, 'createdAtMs'>): number {
  return job.createdAtMs + DOWNLOAD_WINDOW_MS;
}

/** What looking up the ids of an upload takes at most: the wait for a worker, and each part. */
const WORK_BEGINS_MS = 10_000;
const PART_MS = 200;

/** Returns when a job is likely to end that has so many parts of its upload left; undefined when it has ended. */
export function estimatedCompletionMs(
  status: ComplianceStatus,
  partsLeft: number,
  nowMs: number,
): number | undefined {
  if (status !== 'created' && status !== 'in_progress') return undefined;
  return nowMs + WORK_BEGINS_MS + partsLeft * PART_MS;
}

/**
 * The status at a moment: both windows end by themselves (docs/api/compliance.md). A job that is still at work when
 * its results could not be fetched any more has failed.
 */
export function complianceStatus(
  job: Pick<ComplianceJob, 'status' | 'createdAtMs'>,
  nowMs: number,
): ComplianceStatus {
  const isOver = nowMs >= downloadExpiresAtMs(job);
  switch (job.status) {
    case 'created':
      return nowMs >= uploadExpiresAtMs(job) ? 'expired' : 'created';
    case 'in_progress':
      return isOver ? 'failed' : 'in_progress';
    case 'complete':
      return isOver ? 'expired' : 'complete';
    case 'failed':
      return 'failed';
  }
}

/** Why whoever keeps a copy has to act (docs/api/objects.md#visibility). */
export type ComplianceReason = 'deleted' | 'deactivated' | 'suspended' | 'protected' | 'scrub_geo';

/** One id that asks for action. */
export interface ComplianceFinding {
  readonly id: bigint;
  readonly reason: ComplianceReason;
  /** When the post was made, or the account. */
  readonly createdAtMs: number;
  /** When it was deleted; absent when that is not known. */
  readonly redactedAtMs?: number;
}

/** What a stored account asks for; undefined when all is well. */
export function reasonOfAccount(account: AccountState | undefined): ComplianceReason | undefined {
  if (account?.suspended) return 'suspended';
  return account?.protected ? 'protected' : undefined;
}

/** What a stored post asks for: that of its author or, as a repost carries the text of another, of that one's. */
export function reasonOfPost(
  author: AccountState | undefined,
  originalAuthor: AccountState | undefined,
): ComplianceReason | undefined {
  return reasonOfAccount(author) ?? reasonOfAccount(originalAuthor);
}

/** Why a deleted post is gone: with its author's account, whose deletion began at `accountDeletedAtMs`, or by itself. */
export function reasonOfDeletedPost(
  deletedAtMs: number,
  accountDeletedAtMs: number | undefined,
): ComplianceReason {
  return accountDeletedAtMs !== undefined && accountDeletedAtMs <= deletedAtMs ? 'deactivated' : 'deleted';
}
