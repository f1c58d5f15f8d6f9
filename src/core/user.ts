import type { UserEntities } from './entities.js';
import type { MediaId, PostId, UserId } from './ids.js';
import type { Withheld } from './post.js';

export const VERIFIED_TYPES = ['blue', 'government', 'business', 'none'] as const;
export type VerifiedType = (typeof VERIFIED_TYPES)[number];

/** The subscriptions of accounts; an account without one has none of these (docs/api/people.md#subscriptions). */
export const SUBSCRIPTION_TYPES = ['Basic', 'Premium', 'PremiumPlus'] as const;
export type SubscriptionType = (typeof SUBSCRIPTION_TYPES)[number];

/** docs/api/requests.md#parameters. */
export const USERNAME_PATTERN = /^[A-Za-z0-9_]{1,15}$/;

export const RECEIVES_DMS = ['everyone', 'following'] as const;
export type ReceivesDms = (typeof RECEIVES_DMS)[number];

/**
 * The state of an account. One that is both deactivated and suspended counts as suspended, and as deactivated again
 * after the suspension is lifted.
 */
export type AccountStanding = 'active' | 'deactivated' | 'suspended' | 'deleting';

export interface User {
  readonly id: UserId;
  readonly username: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly description: string;
  readonly location?: string;
  readonly url?: string;
  readonly profileImageUrl?: string;
  readonly profileBannerUrl?: string;
  /** The medium behind the picture; absent if the picture is on another server, or a default one. */
  readonly profileImageId?: MediaId;
  readonly profileBannerId?: MediaId;
  readonly protected: boolean;
  readonly verified: boolean;
  readonly verifiedType?: VerifiedType;
  readonly subscriptionType?: SubscriptionType;
  readonly pinnedPostId?: PostId;
  readonly allowsPhotoTagging: boolean;
  readonly receivesDms: ReceivesDms;
  readonly suspended: boolean;
  readonly entities?: UserEntities;
  readonly withheld?: Withheld;
}

export interface UserCounts {
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
  readonly listed: number;
}
