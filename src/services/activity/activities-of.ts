import type { Activity } from '../../core/activity-event.js';
import type { ActivityType } from '../../core/activity.js';
import { readConversationId, type ConversationId } from '../../core/direct-message.js';
import type { MentionEntity } from '../../core/entities.js';
import type { FeedEvent, PostEvent, ProfileMembers, UserEdgeKind } from '../../core/feed-event.js';
import type { PostId, UserId } from '../../core/ids.js';
import { wholeTextOf, type Post } from '../../core/post.js';

/** What is stored about the objects of events. Objects that no longer exist are missing. */
export interface ActivityFacts {
  /** The new and liked posts, and the posts to which new ones refer. */
  readonly posts: ReadonlyMap<PostId, Post>;
  /** The present participants of groups. */
  readonly participants: ReadonlyMap<ConversationId, readonly UserId[]>;
}

/**
 * Returns what an event of the feed is as activity, in the order in which it is delivered
 * (docs/api/activity.md#event-types).
 */
export function activitiesOf(event: FeedEvent, facts: ActivityFacts): Activity[] {
  switch (event.kind) {
    case 'post-made':
      return newPost(event, facts);
    case 'post-edited':
      return [postBy(event)];
    case 'post-deleted': {
      const { postId, authorId } = event;
      const subject = { kind: 'deleted-post', postId, authorId } as const;
      return [{ type: 'post.delete', outbound: [authorId], inbound: [], subject }];
    }
    case 'like-made':
      return like(event, facts);
    case 'profile-changed':
      return profileChanges(event);
    case 'message-sent':
      return message(event, facts);
    case 'space-started':
    case 'space-ended': {
      const { space, creatorId } = event;
      const type = event.kind === 'space-started' ? 'spaces.start' : 'spaces.end';
      const subject = { kind: 'space', space, userId: creatorId } as const;
      return [{ type, outbound: [creatorId], inbound: [], subject }];
    }
    case 'follow-made':
    case 'follow-undone':
    case 'mute-made':
    case 'mute-undone':
    case 'block-made':
    case 'block-undone':
      return edge(event, event.kind);
    case 'app-disconnected':
    case 'stream-killed':
    case 'post-scrubbed':
    case 'like-undone':
    case 'follow-requested':
    case 'follow-request-ended':
    case 'conversation-joined':
    case 'conversation-left':
    case 'account-protected':
    case 'account-unprotected':
    case 'account-standing':
    case 'unread-changed':
      return [];
  }
}

function postBy({ postId, authorId }: Pick<PostEvent, 'postId' | 'authorId'>): Activity {
  return {
    type: 'post.create',
    outbound: [authorId],
    inbound: [],
    subject: { kind: 'post', postId },
  };
}

function newPost(event: PostEvent, { posts }: ActivityFacts): Activity[] {
  const post = posts.get(event.postId);
  if (!post) return [];
  const { id: postId, authorId, repostedPostId, quotedPostId } = post;
  const authorOf = (id: PostId | undefined): UserId[] => {
    const author = id === undefined ? undefined : posts.get(id)?.authorId;
    return author === undefined ? [] : [author];
  };
  const isReplyTo = post.inReplyToPostId === undefined ? undefined : post.inReplyToUserId;
  const received: readonly (readonly [ActivityType, readonly UserId[]])[] = [
    ['post.mention.create', mentionedBy(post, posts)],
    ['post.reply.create', isReplyTo === undefined ? [] : [isReplyTo]],
    ['post.quote.create', authorOf(quotedPostId)],
    ['post.repost.create', authorOf(repostedPostId)],
  ];
  const byOthers = received.flatMap(([type, users]): Activity[] => {
    const inbound = users.filter((id) => id !== authorId);
    return inbound.length === 0 ? [] : [{ type, outbound: [], inbound, subject: { kind: 'post', postId } }];
  });
  return [postBy(event), ...byOthers];
}

/**
 * Returns the users that a post mentions on purpose: not those of a reposted text, nor the participants of the
 * conversation whose handles begin a reply.
 */
function mentionedBy(post: Post, posts: ActivityFacts['posts']): UserId[] {
  if (post.repostedPostId !== undefined) return [];
  const mentions = [...(wholeTextOf(post).entities?.mentions ?? [])].sort(
    (one, other) => one.start - other.start,
  );
  const inherited = new Set(inheritedHandles(post, posts));
  let beginningEnds = 0;
  const meant = mentions.filter(({ start, end, username }) => {
    if (start !== beginningEnds || !inherited.has(username.toLowerCase())) return true;
    beginningEnds = end + 1;
    return false;
  });
  return [...new Set(meant.flatMap(idOf))];
}

/** Returns the handles that a reply took over from the post that it replies to, in lower case. */
function inheritedHandles(post: Post, posts: ActivityFacts['posts']): string[] {
  const parent = post.inReplyToPostId === undefined ? undefined : posts.get(post.inReplyToPostId);
  if (!parent) return [];
  const ofParent = wholeTextOf(parent).entities?.mentions ?? [];
  const ofAuthor = (wholeTextOf(post).entities?.mentions ?? []).filter(
    ({ id }) => id === String(parent.authorId),
  );
  return [...ofParent, ...ofAuthor].map(({ username }) => username.toLowerCase());
}

function idOf({ id }: MentionEntity): UserId[] {
  return id === undefined ? [] : [BigInt(id) as UserId];
}

function like(event: FeedEvent & { readonly kind: 'like-made' | 'like-undone' }, facts: ActivityFacts) {
  const { userId, postId, edgeId } = event;
  const authorId = facts.posts.get(postId)?.authorId;
  if (authorId === undefined || edgeId === undefined) return [];
  const subject = { kind: 'like', edgeId, userId, postId, authorId } as const;
  return [{ type: 'like.create', outbound: [userId], inbound: [authorId], subject } as const];
}

const EDGE_TYPES = {
  'follow-made': 'follow.follow',
  'follow-undone': 'follow.unfollow',
  'mute-made': 'mute.mute',
  'mute-undone': 'mute.unmute',
  'block-made': 'block.block',
  'block-undone': 'block.unblock',
} as const satisfies Readonly<Partial<Record<UserEdgeKind, ActivityType>>>;

function edge(
  { userId, targetId }: { readonly userId: UserId; readonly targetId: UserId },
  kind: keyof typeof EDGE_TYPES,
): Activity[] {
  // Nobody learns of being muted or blocked.
  const inbound = kind === 'follow-made' || kind === 'follow-undone' ? [targetId] : [];
  const subject = { kind: 'edge', userId, targetId } as const;
  return [{ type: EDGE_TYPES[kind], outbound: [userId], inbound, subject }];
}

/** The members of a profile by the types of their changes, in the order of delivery. */
const PROFILE_TYPES = [
  ['profile.update.bio', 'description'],
  ['profile.update.profile_picture', 'profileImageUrl'],
  ['profile.update.banner_picture', 'profileBannerUrl'],
  ['profile.update.screenname', 'name'],
  ['profile.update.geo', 'location'],
  ['profile.update.url', 'url'],
  ['profile.update.verified_badge', 'verified'],
  ['profile.update.handle', 'username'],
] as const satisfies readonly (readonly [ActivityType, keyof ProfileMembers])[];

function profileChanges(event: FeedEvent & { readonly kind: 'profile-changed' }): Activity[] {
  const { userId } = event;
  return PROFILE_TYPES.flatMap(([type, member]): Activity[] => {
    const [before, after] = [event.before, event.after].map((members) => String(members[member] ?? ''));
    if (before === undefined || after === undefined || before === after) return [];
    return [{ type, outbound: [userId], inbound: [], subject: { kind: 'profile', userId, before, after } }];
  });
}

function message(
  event: Extract<FeedEvent, { readonly conversation: ConversationId }>,
  facts: ActivityFacts,
): Activity[] {
  const { conversation, eventId, senderId } = event;
  if (senderId === undefined) return [];
  const participants = readConversationId(conversation)?.pair ?? facts.participants.get(conversation) ?? [];
  const others = participants.filter((id) => id !== senderId);
  const isToSelf = participants.every((id) => id === senderId);
  const subject = { kind: 'message', conversation, eventId } as const;
  return [
    { type: 'dm.sent', outbound: [senderId], inbound: [], subject },
    { type: 'dm.received', outbound: [], inbound: isToSelf ? [senderId] : [...new Set(others)], subject },
  ];
}
