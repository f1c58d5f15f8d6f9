import { createHash } from 'node:crypto';
import type { ActivityEvent, ActivityMatch } from '../../core/activity-event.js';
import { activityRuleOf, type ActivitySubscription } from '../../core/activity.js';
import type { ConversationId } from '../../core/direct-message.js';
import type { FeedEvent } from '../../core/feed-event.js';
import type { PostId, UserId } from '../../core/ids.js';
import { referencedIds } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { listActivitySubscriptionsAbout } from '../../stores/activity-subscriptions.js';
import { listParticipants } from '../../stores/dm-conversations.js';
import { findPosts } from '../../stores/posts.js';
import type { ServiceDeps } from '../service-deps.js';
import { activitiesOf, type ActivityFacts } from './activities-of.js';
import { loadSubscriberAccess } from './subscriber-access.js';
import { grouped } from '../../core/grouped.js';

/**
 * Returns the activity in entries of the feed, with the subscriptions among those of `isWanted` that it matches: in the
 * order of the feed, and each event for the oldest subscription first. Leaves out subscriptions of users if the app
 * may no longer receive the activity.
 */
export async function matchActivities(
  { engine: db, clock }: Pick<ServiceDeps, 'engine' | 'clock'>,
  entries: readonly FeedEntry[],
  isWanted: (subscription: ActivitySubscription) => boolean,
): Promise<ActivityMatch[]> {
  const events = await activityEvents(db, entries);
  const users = new Set(events.flatMap(({ outbound, inbound }) => [...outbound, ...inbound]));
  const subscriptions = await listActivitySubscriptionsAbout(db, [...users]);
  const about = grouped(subscriptions.filter(isWanted).map((each) => [each.userId, each]));
  const matches = events.flatMap((event) =>
    matching(event, about).map((subscription) => ({ event, subscription })),
  );
  return withAccess(db, matches, clock());
}

async function withAccess(
  db: Queryable,
  matches: readonly ActivityMatch[],
  nowMs: number,
): Promise<ActivityMatch[]> {
  const subscribers = matches.flatMap(({ subscription: { appId, subscriberId } }) =>
    subscriberId === undefined ? [] : [{ appId, userId: subscriberId }],
  );
  const mayReceive = await loadSubscriberAccess(db, subscribers, nowMs);
  return matches.filter(({ subscription: { appId, subscriberId, type } }) => {
    if (subscriberId === undefined) return true;
    const { scope, permission } = activityRuleOf(type);
    return mayReceive({ appId, userId: subscriberId }, { scopes: [scope], permission });
  });
}

/** Returns the activity in entries of the feed, in its order. */
export async function activityEvents(db: Queryable, entries: readonly FeedEntry[]): Promise<ActivityEvent[]> {
  const facts = await loadFacts(
    db,
    entries.flatMap(({ events }) => events),
  );
  return entries.flatMap(({ position, atMs, events }) =>
    events.flatMap((event, index) =>
      activitiesOf(event, facts).map((activity) => {
        const uuid = uuidOf(position, index, activity.type);
        return { ...activity, uuid, atMs };
      }),
    ),
  );
}

/** Returns a number of 64 bits, as a text: the same whenever the event is read. */
function uuidOf(position: bigint, index: number, type: string): string {
  const hash = createHash('sha256').update(`${position} ${index} ${type}`).digest();
  return String(hash.readBigInt64BE());
}

function matching(
  { type, atMs, outbound, inbound }: ActivityEvent,
  about: ReadonlyMap<UserId | undefined, readonly ActivitySubscription[]>,
): ActivitySubscription[] {
  const found = new Set<ActivitySubscription>();
  for (const [direction, users] of [
    ['outbound', outbound],
    ['inbound', inbound],
  ] as const) {
    for (const subscription of users.flatMap((id) => about.get(id) ?? [])) {
      const isMeant = subscription.direction === undefined || subscription.direction === direction;
      const isLater = atMs >= subscription.createdAtMs;
      if (subscription.type === type && isMeant && isLater) found.add(subscription);
    }
  }
  return [...found].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function loadFacts(db: Queryable, events: readonly FeedEvent[]): Promise<ActivityFacts> {
  const named = await findPosts(db, [...new Set(events.flatMap(postIdsOf))]);
  const referenced = [...named.values()].flatMap(referencedIds).filter((id) => !named.has(id));
  const others = await findPosts(db, [...new Set(referenced)]);
  const participants = new Map<ConversationId, readonly UserId[]>();
  for (const id of new Set(events.flatMap(groupsOf))) participants.set(id, await listParticipants(db, id));
  return { posts: new Map([...named, ...others]), participants };
}

function postIdsOf(event: FeedEvent): PostId[] {
  return event.kind === 'post-made' || event.kind === 'like-made' ? [event.postId] : [];
}

function groupsOf(event: FeedEvent): ConversationId[] {
  return event.kind === 'message-sent' && !event.conversation.includes('-') ? [event.conversation] : [];
}
