import type { PostId, ReportCaseId, ReportId, UserId } from './ids.js';

/** Why a member reports a post or a user (docs/api/pipit.md#reports). */
export const REPORT_REASONS = [
  'spam',
  'abuse',
  'hate',
  'sensitive',
  'impersonation',
  'self_harm',
  'illegal',
  'other',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** What a report is about: a post, by its first version, or a user. */
export type ReportTarget =
  | { readonly kind: 'post'; readonly id: PostId }
  | { readonly kind: 'user'; readonly id: UserId };

/** What one member reports. */
export interface Report {
  readonly id: ReportId;
  readonly caseId: ReportCaseId;
  readonly reporterId: UserId;
  readonly reason: ReportReason;
  /** What the member adds; may be empty. */
  readonly comment: string;
  readonly createdAtMs: number;
}

/** A post or a user as it was at the first report. */
export interface ReportedState {
  readonly username: string;
  readonly name: string;
  /** The text of the post, or the description of the user. */
  readonly text: string;
  /** When the post was written, or the account created. */
  readonly createdAtMs: number;
  /** Location and address of a user. */
  readonly location?: string;
  readonly url?: string;
  /** The attachments of a post: the kinds of its media with their descriptions, and the options of its poll. */
  readonly media?: readonly { readonly type: string; readonly altText?: string }[];
  readonly options?: readonly string[];
}

/** What the operators decided about a case. */
export const DECISIONS = ['dismissed', 'removed', 'suspended'] as const;
export type Decision = (typeof DECISIONS)[number];

/** All reports of one post or user until the operators decide. */
export interface ReportCase {
  readonly id: ReportCaseId;
  readonly kind: ReportTarget['kind'];
  readonly targetId: PostId | UserId;
  /** The author of the post, or the reported user. */
  readonly userId: UserId;
  readonly shown: ReportedState;
  readonly openedAtMs: number;
  /** Absent while the case is open. */
  readonly closedAtMs?: number;
  readonly decision?: Decision;
}
