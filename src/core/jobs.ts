/**
 * The kinds of jobs and their payloads. Payloads are JSON: ids are decimal strings. Jobs outlive the build that
 * enqueued them, so a released shape may only gain optional members.
 */
export interface JobPayloads {
  /** The position of the hourly cleanup; `{}` starts it. */
  readonly housekeeping: HousekeepingPayload;
  /** Removes a deleted post from the home timelines of its author's followers. */
  readonly 'retract-post': RetractPostPayload;
  /** Records all followers of an author whose posts are merged at read time. */
  readonly 'grow-author': GrowAuthorPayload;
  /** Reindexes all posts of an author. */
  readonly 'index-author': IndexAuthorPayload;
  /** Adds users to the search of users. */
  readonly 'index-users': IndexUsersPayload;
  /** Looks up the ids of a compliance job. */
  readonly 'check-compliance': CheckCompliancePayload;
  /** Deletes the data of an expired compliance job. */
  readonly 'clean-compliance': CleanCompliancePayload;
  /** Deletes all data of an account. */
  readonly 'delete-account': DeleteAccountPayload;
  /** Creates media from a video uploaded in segments. */
  readonly 'process-media': ProcessMediaPayload;
  /** Makes a scheduled backup. */
  readonly backup: BackupPayload;
  /** Repeats deliveries to a webhook. */
  readonly 'replay-webhook': ReplayPayload;
}

type BackupPayload = Readonly<Record<never, never>>;

export interface DeleteAccountPayload {
  readonly userId: string;
}

export interface ProcessMediaPayload {
  readonly mediaId: string;
}

export interface ReplayPayload {
  readonly webhookId: string;
  /** The id of the job for its client. */
  readonly jobId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The last delivery repeated; absent at the start. */
  readonly after?: string;
}

export interface IndexAuthorPayload {
  readonly userId: string;
  /** The last post indexed, newest first; absent at the start. */
  readonly belowId?: string;
}

export interface IndexUsersPayload {
  /** The last user added, by id; absent at the start. */
  readonly after?: string;
}

export interface RetractPostPayload {
  readonly postId: string;
  readonly authorId: string;
  /** The last follower served; absent at the start. */
  readonly after?: string;
}

export interface GrowAuthorPayload {
  readonly authorId: string;
  /** The last follower recorded; absent at the start. */
  readonly after?: string;
}

export interface HousekeepingPayload {
  /** The current table; absent for the first. */
  readonly step?:
    | 'recent-texts'
    | 'bearer-tokens'
    | 'refresh-tokens'
    | 'authorization-codes'
    | 'request-tokens'
    | 'web-sessions'
    | 'invitations'
    | 'password-resets'
    | 'stream-connections'
    | 'feed'
    | 'feed-rows'
    | 'webhook-deliveries'
    | 'home-timelines'
    | 'media'
    | 'figures';
  /** The last key scanned; absent at the start of the table. */
  readonly after?: readonly string[];
}

export interface CheckCompliancePayload {
  readonly jobId: string;
  /** The next part of the upload; absent for the first. */
  readonly part?: number;
}

interface CleanCompliancePayload {
  readonly jobId: string;
}
