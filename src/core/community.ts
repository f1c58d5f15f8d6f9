import type { CommunityId } from './ids.js';

/** How users become members, as the original names it; here operators add them (docs/api/communities.md). */
export const JOIN_POLICIES = [
  'Open',
  'RestrictedJoinRequestsDisabled',
  'RestrictedJoinRequestsRequireAdminApproval',
  'RestrictedJoinRequestsRequireModeratorApproval',
  'SuperFollowRequired',
] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];

/** A group in which its members post (docs/api/communities.md). */
export interface Community {
  readonly id: CommunityId;
  readonly name: string;
  readonly description: string;
  readonly joinPolicy: JoinPolicy;
  readonly createdAtMs: number;
}

/** A community with the number of its members. */
export interface CountedCommunity extends Community {
  readonly members: number;
}
