/**
 * Every kind of job with the payload it carries. Payloads are JSON: ids are decimal strings. Jobs outlive the build that
 * enqueued them, so a shape that has been released may only gain optional members.
 */
export interface JobPayloads {
  /** Where the hourly clean-up goes on; `{}` begins it. */
  readonly housekeeping: HousekeepingPayload;
  /** Takes a deleted post out of its author's followers' home timelines. */
  readonly 'retract-post': RetractPostPayload;
  /** Notes all followers of an author whose posts are to be merged on reading. */
  readonly 'grow-author': GrowAuthorPayload;
  /** Lets the search index look at all posts of an author again. */
  readonly 'index-author': IndexAuthorPayload;
  /** Looks up the ids of a compliance job. */
  readonly 'check-compliance': CheckCompliancePayload;
  /** Removes what belongs to a compliance job when its time is over. */
  readonly 'clean-compliance': CleanCompliancePayload;
  /** Takes away all that there is of an account. */
  readonly 'delete-account': DeleteAccountPayload;
  /** Makes media of a video that was uploaded in pieces. */
  readonly 'process-media': ProcessMediaPayload;
}

export interface DeleteAccountPayload {
  readonly userId: string;
}

export interface ProcessMediaPayload {
  readonly mediaId: string;
}

export interface IndexAuthorPayload {
  readonly userId: string;
  /** The post that was looked at last, newest first; absent at the beginning. */
  readonly belowId?: string;
}

export interface RetractPostPayload {
  readonly postId: string;
  readonly authorId: string;
  /** The follower who was served last; absent at the beginning. */
  readonly after?: string;
}

export interface GrowAuthorPayload {
  readonly authorId: string;
  /** The follower who was noted last; absent at the beginning. */
  readonly after?: string;
}

export interface HousekeepingPayload {
  /** Which table it is at; the first one when absent. */
  readonly step?:
    | 'recent-texts'
    | 'bearer-tokens'
    | 'refresh-tokens'
    | 'authorization-codes'
    | 'request-tokens'
    | 'web-sessions'
    | 'invitations'
    | 'password-resets'
    | 'home-timelines'
    | 'media';
  /** The last key that was looked at; absent at the beginning of the table. */
  readonly after?: readonly string[];
}

export interface CheckCompliancePayload {
  readonly jobId: string;
  /** The part of the upload that is next; the first one when absent. */
  readonly part?: number;
}

interface CleanCompliancePayload {
  readonly jobId: string;
}
