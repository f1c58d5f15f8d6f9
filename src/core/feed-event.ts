import type { ConversationId } from './direct-message.js';
import type { AppId, DmEventId, EdgeId, PostId, UserId } from './ids.js';
import type { SpaceId } from './space.js';
import type { AccountStanding, User } from './user.js';

/** What a profile shows and its owner can change. */
export const PROFILE_MEMBERS = [
  'username',
  'name',
  'description',
  'location',
  'url',
  'profileImageUrl',
  'profileBannerUrl',
  'verified',
] as const satisfies readonly (keyof User)[];

export type ProfileMembers = Partial<Pick<User, (typeof PROFILE_MEMBERS)[number]>>;

/**
 * One thing that happened on this server, by keys (docs/design/feed.md#events). It is stored as JSON: ids are the
 * members whose names end in `Id`. Stored events outlive the build that wrote them, so a released shape may only gain
 * optional members.
 */
export type FeedEvent =
  | PostEvent
  | { readonly kind: 'post-scrubbed'; readonly postId: PostId; readonly authorId: UserId }
  | {
      readonly kind: 'like-made' | 'like-undone';
      readonly userId: UserId;
      readonly postId: PostId;
      /** Absent when the like is undone. */
      readonly edgeId?: EdgeId;
    }
  | { readonly kind: UserEdgeKind; readonly userId: UserId; readonly targetId: UserId }
  | {
      readonly kind: 'message-sent' | 'conversation-joined' | 'conversation-left';
      readonly conversation: ConversationId;
      readonly eventId: DmEventId;
      /** The author or inviter; absent if a user left. */
      readonly senderId?: UserId;
    }
  | {
      readonly kind: 'profile-changed';
      readonly userId: UserId;
      /** The changed members before and after; absent ones were or are not set. */
      readonly before: ProfileMembers;
      readonly after: ProfileMembers;
    }
  | { readonly kind: 'space-started' | 'space-ended'; readonly space: SpaceId; readonly creatorId: UserId }
  | {
      /** A user ended the access of an app. */
      readonly kind: 'app-disconnected';
      readonly userId: UserId;
      readonly appId: AppId;
      /** The ids of the webhooks that received the activity of the account. */
      readonly webhooks: readonly string[];
    }
  | { readonly kind: 'account-protected' | 'account-unprotected'; readonly userId: UserId }
  | {
      readonly kind: 'account-standing';
      readonly userId: UserId;
      readonly standing: AccountStanding;
      readonly before?: AccountStanding;
    }
  /** What a user has not read changed: notifications, or messages that were read. New messages have an event of their own. */
  | { readonly kind: 'unread-changed'; readonly userId: UserId }
  /** The process that serves the connection ends it. */
  | { readonly kind: 'stream-killed'; readonly appId: AppId; readonly uuid: string };

/** A repost is a post. An edit makes a version with an id of its own; other events name the first version. */
export interface PostEvent {
  readonly kind: 'post-made' | 'post-edited' | 'post-deleted';
  readonly postId: PostId;
  readonly authorId: UserId;
  readonly repostedPostId?: PostId;
  readonly quotedPostId?: PostId;
}

/** What `userId` did to `targetId`. */
export type UserEdgeKind =
  | 'follow-made'
  | 'follow-undone'
  | 'follow-requested'
  | 'follow-request-ended'
  | 'block-made'
  | 'block-undone'
  | 'mute-made'
  | 'mute-undone';

/** Encodes events as JSON. */
export function encodeEvents(events: readonly FeedEvent[]): string {
  return JSON.stringify(events, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** Decodes what `encodeEvents` returned. */
export function decodeEvents(text: string): readonly FeedEvent[] {
  return JSON.parse(text, (name, value: unknown) =>
    name.endsWith('Id') && typeof value === 'string' ? BigInt(value) : value,
  ) as readonly FeedEvent[];
}
