import type { PostId, UserId } from '../core/ids.js';
import type { NotificationKind } from '../core/notification.js';
import { timeOfId } from '../core/snowflake.js';
import type { WireObject } from '../core/wire-json.js';
import { ObjectSet } from './hydrate/objects.js';
import { includeUsers } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import { includePosts, type PostRequest, type ViewDeps } from './post-page.js';
import { notificationFields, type ShownNotification } from './wire/notification.js';
import { presenter } from './wire/presenter.js';

/** The users of a group that an answer names. */
const MAX_NAMED = 10;

const present = presenter(notificationFields, new Set());

/** A stored notification with the users behind it. */
interface Notification {
  readonly kind: NotificationKind;
  readonly postId?: PostId;
  readonly lastKey: bigint;
  readonly isRead: boolean;
  readonly actorIds: readonly UserId[];
  readonly otherActors: number;
}

export interface NotificationRequest extends Pick<PostRequest, 'selection'> {
  readonly viewerId: UserId;
  readonly notifications: readonly Notification[];
}

/**
 * Returns the notifications that the viewer may see, with their posts and users under `includes`. Omits users that the
 * viewer blocks or mutes and those whose activity is not visible, and notifications of which nothing is left.
 */
export function viewNotifications(
  deps: ViewDeps,
  { notifications, viewerId, selection }: NotificationRequest,
): Promise<Envelope<WireObject[]>> {
  const objects = new ObjectSet(deps.reads, viewerId);
  return objects.complete(() => {
    const includes = new Includes();
    const shown = notifications.flatMap((each) => shownOf(each, objects) ?? []);
    const ids = shown.flatMap(({ postId }) => postId ?? []);
    if (ids.length > 0) includePosts(deps, { ids, viewerId, selection }, objects, includes);
    const named = shown.flatMap(({ actorIds }) => actorIds);
    const users = named.map((id) => ({ id, parameter: 'user_ids' }));
    includeUsers(objects, includes, users, selection.userFields);
    return includes.envelope(shown.length > 0 ? shown.map(present) : undefined);
  });
}

/** Returns the keys of the notifications of which the viewer may see nothing. */
export function findHiddenNotifications(
  { reads }: ViewDeps,
  { notifications, viewerId }: Omit<NotificationRequest, 'selection'>,
): Promise<ReadonlySet<bigint>> {
  const objects = new ObjectSet(reads, viewerId);
  return objects.complete(() => {
    const hidden = notifications.filter((each) => shownOf(each, objects) === undefined);
    return new Set(hidden.map(({ lastKey }) => lastKey));
  });
}

function shownOf(stored: Notification, objects: ObjectSet): ShownNotification | undefined {
  const { kind, lastKey, isRead } = stored;
  const post = stored.postId === undefined ? undefined : objects.findNewest(stored.postId);
  if (stored.postId !== undefined && (!post || objects.visibility(post) !== 'visible')) return undefined;
  const common = { kind, lastKey, isRead, postId: post?.id };
  if (post && isOfPost(kind)) {
    const { authorId, createdAtMs } = post;
    return objects.mayNotify(authorId)
      ? { ...common, createdAtMs, actorIds: [authorId], actorCount: 1 }
      : undefined;
  }
  const isSeen = (id: UserId): boolean =>
    objects.mayNotify(id) && (post === undefined || objects.activityOf(id) === 'visible');
  // Every user is looked at, so that one pass finds all that is missing.
  const seen = stored.actorIds.filter(isSeen);
  if (seen.length === 0) return undefined;
  return {
    ...common,
    createdAtMs: timeOfId(lastKey) ?? 0,
    actorIds: seen.slice(0, MAX_NAMED),
    actorCount: seen.length + stored.otherActors,
  };
}

/** Reports whether notifications of this kind are about what the author of the post did. */
function isOfPost(kind: NotificationKind): boolean {
  return kind === 'mention' || kind === 'reply' || kind === 'quote';
}
