import { mayMessage } from '../../core/direct-message.js';
import {
  counts,
  date,
  described,
  flag,
  id,
  listOf,
  object,
  oneOf,
  schemaOf,
  text,
} from '../../core/json-schema.js';
import { SUBSCRIPTION_TYPES, VERIFIED_TYPES, type User, type UserCounts } from '../../core/user.js';
import { presentDate } from '../present/dates.js';
import { userEntities } from './entities.js';
import { asImported, field, required, unshown, type Fields } from './field.js';

/** What is loaded beside a user, when the request asks for it. */
export interface UserExtras {
  readonly counts?: UserCounts;
  /** Absent when there is no viewer. */
  readonly relation?: UserRelation;
  /** Whether the viewer is the user; present when a field that others do not see is wanted. */
  readonly isViewer?: boolean;
}

/** The relation between the viewer and a user. */
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

/** Each `connection_status`, in the order of answers, and the relation that it stands for. */
const CONNECTIONS = [
  ['follow_request_received', 'followRequestReceived'],
  ['follow_request_sent', 'followRequestSent'],
  ['blocking', 'blocking'],
  ['followed_by', 'followedBy'],
  ['following', 'following'],
  ['muting', 'muting'],
] as const satisfies readonly (readonly [string, keyof UserRelation])[];

/** The members that every viewer sees alike, without counts. */
export const profileFields = {
  id: required(id, (user) => String(user.id)),
  name: required(schemaOf('string', { maxLength: 50 }), ({ name }) => name),
  username: required(schemaOf('string', { pattern: '^[A-Za-z0-9_]{1,15}$' }), ({ username }) => username),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  description: field(text, ({ description }) => description),
  entities: field(userEntities, ({ entities }) => entities),
  location: field(text, ({ location }) => location),
  pinned_tweet_id: field(id, ({ pinnedPostId }) => pinnedPostId?.toString()),
  profile_banner_url: field(text, ({ profileBannerUrl }) => profileBannerUrl),
  profile_image_url: field(text, ({ profileImageUrl }) => profileImageUrl),
  protected: field(flag, (user) => user.protected),
  url: field(text, ({ url }) => url ?? ''),
  verified: field(flag, ({ verified }) => verified),
  verified_type: field(
    oneOf(...VERIFIED_TYPES),
    ({ verifiedType, verified }) => verifiedType ?? (verified ? 'blue' : 'none'),
  ),
  withheld: field(object({ country_codes: listOf(text), scope: oneOf('user') }), ({ withheld }) =>
    asImported(withheld),
  ),
} satisfies Fields<User>;

/** The members that depend on counts and on the viewer. */
export const extraUserFields = {
  public_metrics: field(
    counts('followers_count', 'following_count', 'tweet_count', 'listed_count'),
    (_, extras) =>
      extras?.counts && {
        followers_count: extras.counts.followers,
        following_count: extras.counts.following,
        tweet_count: extras.counts.posts,
        listed_count: extras.counts.listed,
      },
  ),
  connection_status: field(listOf(oneOf(...CONNECTIONS.map(([status]) => status))), (_, extras) => {
    const { relation } = extras ?? {};
    if (!relation || relation.isSelf) return undefined;
    const statuses = CONNECTIONS.flatMap(([status, name]) => (relation[name] ? status : []));
    return statuses.length > 0 ? statuses : undefined;
  }),
  subscription_type: field(
    described(oneOf('None', ...SUBSCRIPTION_TYPES), '`None` to everyone but the user.'),
    (user, extras) => (extras?.isViewer === true ? (user.subscriptionType ?? 'None') : 'None'),
  ),
  receives_your_dm: field(flag, (user, extras) => extras?.relation && receivesDm(user, extras.relation)),
} satisfies Fields<User, UserExtras | undefined>;

/** A user (docs/api/objects.md#user). */
export const userFields = { ...profileFields, ...extraUserFields, most_recent_tweet_id: unshown(id) };

function receivesDm(user: User, relation: UserRelation): boolean {
  const { isSelf, blocking, blockedBy, followedBy, hasConversation } = relation;
  return mayMessage(user, {
    isSelf,
    isBlocked: blocking || blockedBy,
    isFollowed: followedBy,
    hasConversation,
  });
}
