import type { ActivityEvent, ActivitySubject } from '../../core/activity-event.js';
import { writeExactJson, type ExactJson } from '../../core/exact-json.js';
import type { UserId } from '../../core/ids.js';
import { blockedAmong } from '../../stores/blocks.js';
import { findMessageParts } from '../activity/messages.js';
import { ObjectSet } from '../hydrate/objects.js';
import type { ViewDeps } from '../post-page.js';
import { presentDateV1 } from '../v1/date.js';
import { presentMessageUserV1, presentMessageV1 } from '../v1/direct-message.js';
import { findPostV1, findUserV1 } from '../v1/find-post.js';
import { presentPostV1 } from '../v1/post.js';

/** The one member of a message that says what happened. */
type Body = Readonly<Record<string, ExactJson>>;

type SubjectOf<K extends ActivitySubject['kind']> = Extract<ActivitySubject, { readonly kind: K }>;

/**
 * Returns an event as JSON in the v1.1 format, as it is delivered for a user who subscribed to the own account
 * (docs/api/activity.md#account-activity). Returns undefined if the format has no such events, or the user may not see
 * it, or no longer can.
 */
export async function viewAccountActivity(
  deps: ViewDeps,
  event: ActivityEvent,
  userId: UserId,
): Promise<string | undefined> {
  const body = await bodyOf(deps, event, userId);
  return body && writeExactJson({ for_user_id: String(userId), ...body });
}

async function bodyOf(deps: ViewDeps, event: ActivityEvent, userId: UserId): Promise<Body | undefined> {
  const { subject, atMs } = event;
  switch (subject.kind) {
    case 'post':
      return newPost(deps, subject, userId);
    case 'deleted-post': {
      const status = { id: String(subject.postId), user_id: String(subject.authorId) };
      return { tweet_delete_events: [{ status, timestamp_ms: String(atMs) }] };
    }
    case 'like':
      return like(deps, subject, userId, atMs);
    case 'edge':
      return edge(deps, event, subject, userId);
    case 'message':
      return message(deps, subject, userId);
    case 'profile':
    case 'space':
      return undefined;
  }
}

async function newPost(
  { reads, publicUrl }: ViewDeps,
  { postId }: SubjectOf<'post'>,
  userId: UserId,
): Promise<Body | undefined> {
  const objects = new ObjectSet(reads, userId);
  const parts = await objects.complete(() => findPostV1(objects, postId, { publicUrl }));
  if (!parts) return undefined;
  const { authorId } = parts.post;
  const blocked = authorId === userId ? undefined : await blockedAmong(reads.db, userId, [authorId]);
  return {
    user_has_blocked: blocked && blocked.size > 0,
    tweet_create_events: [presentPostV1(parts, { mode: 'compatible' })],
  };
}

function like(
  { reads, publicUrl }: ViewDeps,
  { edgeId, userId: likerId, postId }: SubjectOf<'like'>,
  userId: UserId,
  atMs: number,
): Promise<Body | undefined> {
  const objects = new ObjectSet(reads, userId);
  return objects.complete((): Body | undefined => {
    const liked = findPostV1(objects, postId, { publicUrl });
    const user = findUserV1(objects, likerId, { publicUrl });
    if (!liked || !user || objects.activityOf(likerId) !== 'visible') return undefined;
    const event = {
      id: String(edgeId),
      created_at: presentDateV1(atMs),
      timestamp_ms: atMs,
      favorited_status: presentPostV1(liked, { mode: 'compatible' }),
      user,
    };
    return { favorite_events: [event] };
  });
}

/** The members and types of events about two users, by the types of activity. */
const EDGES: Readonly<Record<string, readonly [member: string, type: string]>> = {
  'follow.follow': ['follow_events', 'follow'],
  'follow.unfollow': ['follow_events', 'unfollow'],
  'block.block': ['block_events', 'block'],
  'block.unblock': ['block_events', 'unblock'],
  'mute.mute': ['mute_events', 'mute'],
  'mute.unmute': ['mute_events', 'unmute'],
};

function edge(
  { reads, publicUrl }: ViewDeps,
  { type, atMs }: ActivityEvent,
  { userId: sourceId, targetId }: SubjectOf<'edge'>,
  userId: UserId,
): Promise<Body | undefined> {
  const [member, name] = EDGES[type] ?? [];
  const objects = new ObjectSet(reads, userId);
  return objects.complete((): Body | undefined => {
    const source = findUserV1(objects, sourceId, { publicUrl });
    const target = findUserV1(objects, targetId, { publicUrl });
    if (!source || !target || member === undefined) return undefined;
    return { [member]: [{ type: name, created_timestamp: String(atMs), target, source }] };
  });
}

async function message(
  deps: ViewDeps,
  { eventId }: SubjectOf<'message'>,
  userId: UserId,
): Promise<Body | undefined> {
  const parts = await findMessageParts(deps, userId, eventId);
  if (!parts) return undefined;
  const objects = new ObjectSet(deps.reads, userId);
  const ids = [...new Set([parts.senderId, parts.recipientId])].filter((id) => id !== undefined);
  const users = await objects.complete(() =>
    ids.flatMap((id) => {
      const user = objects.users.find(id);
      return user ? [presentMessageUserV1(user, objects.users.countsOf(id))] : [];
    }),
  );
  return {
    direct_message_events: [presentMessageV1(parts)],
    users: Object.fromEntries(users.map((user) => [user.id, user])),
  };
}
