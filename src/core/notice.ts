import type { NoticeId, PostId, UserId } from './ids.js';

/** What the operators did about something of a user, as its user reads it (docs/api/pipit.md#notices). */
export interface Notice {
  readonly id: NoticeId;
  readonly userId: UserId;
  readonly kind: 'post_removed';
  readonly postId?: PostId;
  /** The beginning of the removed post. */
  readonly excerpt: string;
  readonly reason: string;
  readonly createdAtMs: number;
  /** Absent while the user has not read it. */
  readonly readAtMs?: number;
}
