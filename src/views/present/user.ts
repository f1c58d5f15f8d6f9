import { mayMessage } from '../../core/direct-message.js';
import type { User, UserCounts } from '../../core/user.js';
import { presentDate } from './dates.js';
import { presenter, type Present, type Presenter } from './presenter.js';

/** What a user's object shows beside the user: loaded only when the fields ask for it. */
export interface UserExtras {
  readonly counts?: UserCounts;
  /** The relation of the viewer to the user; absent without a viewer. */
  readonly relation?: UserRelation;
}

/** How viewer and user stand to each other. */
export interface UserRelation {
  readonly isSelf: boolean;
  readonly following: boolean;
  readonly followedBy: boolean;
  readonly followRequestSent: boolean;
  readonly followRequestReceived: boolean;
  readonly blocking: boolean;
  readonly blockedBy: boolean;
  readonly muting: boolean;
  /** The two have written to each other; loaded for `receives_your_dm` alone. */
  readonly hasConversation: boolean;
}

/** A user (docs/api/objects.md#user). */
export function presentUser(
  user: User,
  fields: ReadonlySet<string>,
  extras: UserExtras | undefined,
): Record<string, unknown> {
  const profile = profilePresenter(fields)(user);
  return extras ? { ...profile, ...presentExtras(user, fields, extras) } : profile;
}

/** What shows of a user what everybody sees, without counts. */
export function profilePresenter(fields: ReadonlySet<string>): Presenter<User> {
  return presenter(presentBareUser, OPTIONAL, fields);
}

function presentBareUser({ id, name, username }: User): Record<string, unknown> {
  return { id: String(id), name, username };
}

const OPTIONAL: Readonly<Record<string, Present<User>>> = {
  created_at: ({ createdAtMs }) => presentDate(createdAtMs),
  description: ({ description }) => description,
  entities: ({ entities }) => entities,
  location: ({ location }) => location,
  pinned_tweet_id: ({ pinnedPostId }) => pinnedPostId?.toString(),
  profile_image_url: ({ profileImageUrl }) => profileImageUrl,
  protected: (user) => user.protected,
  url: ({ url }) => url ?? '',
  verified: ({ verified }) => verified,
  verified_type: ({ verifiedType, verified }) => verifiedType ?? (verified ? 'blue' : 'none'),
  withheld: ({ withheld }) => withheld,
};

/** The rest: counts, and how the viewer stands to the user. */
export function presentExtras(
  user: User,
  fields: ReadonlySet<string>,
  { counts, relation }: UserExtras,
): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  const put = (field: string, value: unknown): void => {
    if (value !== undefined && fields.has(field)) wire[field] = value;
  };
  if (counts) put('public_metrics', presentUserCounts(counts));
  if (relation) {
    put('connection_status', connectionStatus(relation));
    put('receives_your_dm', receivesDm(user, relation));
  }
  return wire;
}

function presentUserCounts(counts: UserCounts): Record<string, number> {
  return {
    followers_count: counts.followers,
    following_count: counts.following,
    tweet_count: counts.posts,
    listed_count: counts.listed,
  };
}

function connectionStatus(relation: UserRelation): string[] | undefined {
  if (relation.isSelf) return undefined;
  const status: string[] = [];
  if (relation.followRequestReceived) status.push('follow_request_received');
  if (relation.followRequestSent) status.push('follow_request_sent');
  if (relation.blocking) status.push('blocking');
  if (relation.followedBy) status.push('followed_by');
  if (relation.following) status.push('following');
  if (relation.muting) status.push('muting');
  return status.length > 0 ? status : undefined;
}

function receivesDm(user: User, relation: UserRelation): boolean {
  const { isSelf, blocking, blockedBy, followedBy, hasConversation } = relation;
  return mayMessage(user, {
    isSelf,
    isBlocked: blocking || blockedBy,
    isFollowed: followedBy,
    hasConversation,
  });
}
