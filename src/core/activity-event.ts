import type { ActivitySubscription, ActivityType } from './activity.js';
import type { ConversationId } from './direct-message.js';
import type { DmEventId, EdgeId, PostId, UserId } from './ids.js';
import type { SpaceId } from './space.js';

/** What happened, by keys; the payload is built from it (docs/api/activity.md#payloads). */
export type ActivitySubject =
  | { readonly kind: 'post'; readonly postId: PostId }
  | { readonly kind: 'deleted-post'; readonly postId: PostId; readonly authorId: UserId }
  | {
      readonly kind: 'like';
      readonly edgeId: EdgeId;
      readonly userId: UserId;
      readonly postId: PostId;
      readonly authorId: UserId;
    }
  /** A follow, block or mute, or the end of one. */
  | { readonly kind: 'edge'; readonly userId: UserId; readonly targetId: UserId }
  | {
      readonly kind: 'profile';
      readonly userId: UserId;
      /** Empty if it was or is not set. */
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: 'message'; readonly conversation: ConversationId; readonly eventId: DmEventId }
  | { readonly kind: 'space'; readonly space: SpaceId; readonly userId: UserId };

/** One kind of activity that an event of the feed was. */
export interface Activity {
  readonly type: ActivityType;
  /** The users who did it. */
  readonly outbound: readonly UserId[];
  /** The users that it was done to, as far as subscriptions to them receive it. */
  readonly inbound: readonly UserId[];
  readonly subject: ActivitySubject;
}

/** Activity with what makes it one event among all. */
export interface ActivityEvent extends Activity {
  /** The same for every subscription and delivery. */
  readonly uuid: string;
  readonly atMs: number;
}

/** An event and a subscription that it matches. */
export interface ActivityMatch {
  readonly event: ActivityEvent;
  readonly subscription: ActivitySubscription;
}
