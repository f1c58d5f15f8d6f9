import type { Permission, Scope } from './access.js';
import type { ActivitySubscriptionId, AppId, UserId, WebhookId } from './ids.js';

/** What subscribing to a kind of activity takes (docs/api/activity.md#event-types). */
interface ActivityRule {
  /** The scope that an OAuth 2.0 user token needs. */
  readonly scope: Scope;
  /** The permission that a user's token needs; default: read. */
  readonly permission?: Permission;
  /** If true, users subscribe for themselves alone, and apps not at all. */
  readonly isPrivate?: true;
  /** If true, a filter may select what the user did or what happened to the user. */
  readonly isDirectional?: true;
  /** If true, the filter is a keyword instead of a user. */
  readonly takesKeyword?: true;
}

const PUBLIC = { scope: 'tweet.read' } as const;
const POSTS_OF_OTHERS = { scope: 'tweet.read', isPrivate: true } as const;
const MESSAGES = { scope: 'dm.read', permission: 'read_write_dm', isPrivate: true } as const;
const MUTES = { scope: 'mute.read', isPrivate: true } as const;
const BLOCKS = { scope: 'block.read', isPrivate: true } as const;

/** The kinds of activity, by their names on the wire (docs/api/activity.md#event-types). */
export const ACTIVITY_RULES = {
  'profile.update.bio': PUBLIC,
  'profile.update.profile_picture': PUBLIC,
  'profile.update.banner_picture': PUBLIC,
  'profile.update.screenname': PUBLIC,
  'profile.update.geo': PUBLIC,
  'profile.update.url': PUBLIC,
  'profile.update.verified_badge': PUBLIC,
  'profile.update.affiliate_badge': PUBLIC,
  'profile.update.handle': PUBLIC,
  'news.new': { ...PUBLIC, takesKeyword: true },
  'follow.follow': { ...PUBLIC, isDirectional: true },
  'follow.unfollow': { ...PUBLIC, isDirectional: true },
  'spaces.start': PUBLIC,
  'spaces.end': PUBLIC,
  'broadcast.start': PUBLIC,
  'broadcast.end': PUBLIC,
  'broadcast.chat': POSTS_OF_OTHERS,
  'chat.received': MESSAGES,
  'chat.sent': MESSAGES,
  'chat.conversation.join': MESSAGES,
  'chat.conversation.member_added': MESSAGES,
  'chat.conversation.member_removed': MESSAGES,
  'chat.conversation.admin_added': MESSAGES,
  'chat.conversation.admin_removed': MESSAGES,
  'chat.update.group_name': MESSAGES,
  'chat.update.restrictions': MESSAGES,
  'dm.sent': MESSAGES,
  'dm.received': MESSAGES,
  'dm.indicate_typing': MESSAGES,
  'dm.read': MESSAGES,
  'post.create': PUBLIC,
  'post.delete': PUBLIC,
  'post.mention.create': POSTS_OF_OTHERS,
  'post.reply.create': POSTS_OF_OTHERS,
  'post.quote.create': POSTS_OF_OTHERS,
  'post.repost.create': POSTS_OF_OTHERS,
  'like.create': { scope: 'like.read', isPrivate: true, isDirectional: true },
  'mute.mute': MUTES,
  'mute.unmute': MUTES,
  'block.block': BLOCKS,
  'block.unblock': BLOCKS,
} as const satisfies Readonly<Record<string, ActivityRule>>;

/** What account activity of a user takes (docs/api/activity.md#account-activity). */
export const ACCOUNT_ACTIVITY_RULE = {
  scopes: ['tweet.read', 'users.read', 'dm.read', 'dm.write'],
  permission: 'read_write_dm',
} as const satisfies { readonly scopes: readonly Scope[]; readonly permission: Permission };

export type ActivityType = keyof typeof ACTIVITY_RULES;

/** Returns what subscribing to a kind of activity takes. */
export function activityRuleOf(type: ActivityType): ActivityRule {
  return ACTIVITY_RULES[type];
}

/** The scopes that the kinds take, each once. */
export const ACTIVITY_SCOPES: readonly Scope[] = [
  ...new Set(Object.values(ACTIVITY_RULES).map(({ scope }) => scope)),
];

export const ACTIVITY_TYPES = Object.keys(ACTIVITY_RULES) as readonly ActivityType[];

/** Outbound: what the user of the filter did. Inbound: what another user did to that user. */
export const ACTIVITY_DIRECTIONS = ['inbound', 'outbound'] as const;
export type ActivityDirection = (typeof ACTIVITY_DIRECTIONS)[number];

/** Selects the activity of a kind: that of a user, or with a keyword. */
export interface ActivityFilter {
  readonly userId?: UserId;
  readonly keyword?: string;
  /** Absent: both. */
  readonly direction?: ActivityDirection;
}

/** The wish of an app to receive one kind of activity (docs/api/activity.md#subscriptions). */
export interface ActivitySubscription extends ActivityFilter {
  readonly id: ActivitySubscriptionId;
  readonly appId: AppId;
  /** The user who subscribed, and who sees the activity; absent if the app itself subscribed. */
  readonly subscriberId?: UserId;
  readonly type: ActivityType;
  readonly tag?: string;
  /** The webhook to which the activity is delivered as well. */
  readonly webhookId?: WebhookId;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
