import type { ActivityMatch, ActivitySubject } from '../../core/activity-event.js';
import { writeExactJson, type ExactJson } from '../../core/exact-json.js';
import type { ViewDeps } from '../post-page.js';
import { viewMessage } from './messages.js';
import type { Payload, Showing } from './payload.js';
import { viewEdge, viewProfileChange, viewSpace } from './people.js';
import { viewDeletedPost, viewLike, viewNewPost } from './posts.js';

/**
 * Returns an event as JSON, as its subscription receives it. Returns undefined if the subscriber may not see it, or no
 * longer can: its objects were deleted, or belong to a protected or suspended account
 * (docs/api/activity.md#visibility).
 */
export async function viewActivity(
  deps: ViewDeps,
  { event, subscription }: ActivityMatch,
): Promise<string | undefined> {
  const { subscriberId: viewerId, userId, direction, tag } = subscription;
  const { type, atMs, uuid, subject } = event;
  const shown = await viewSubject(deps, subject, { viewerId, type, atMs });
  if (!shown) return undefined;
  const filter = { user_id: userId === undefined ? undefined : String(userId), direction };
  const { payload, includes } = shown;
  const isEmpty = Object.values(includes ?? {}).every((list) => list === undefined);
  return writeExactJson({
    data: {
      event_uuid: uuid,
      filter,
      event_type: type,
      tag,
      payload,
      includes: isEmpty ? undefined : (includes as ExactJson),
    },
  });
}

function viewSubject(
  deps: ViewDeps,
  subject: ActivitySubject,
  showing: Showing,
): Promise<Payload | undefined> {
  switch (subject.kind) {
    case 'post':
      return viewNewPost(deps, subject, showing);
    case 'deleted-post':
      return viewDeletedPost(deps, subject, showing);
    case 'like':
      return viewLike(deps, subject, showing);
    case 'edge':
      return viewEdge(deps, subject, showing);
    case 'profile':
      return viewProfileChange(deps, subject, showing);
    case 'message':
      return viewMessage(deps, subject, showing);
    case 'space':
      return viewSpace(deps, subject, showing);
  }
}
