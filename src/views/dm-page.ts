import type { DmEvent } from '../core/direct-message.js';
import type { DmEventId, PostId, UserId } from '../core/ids.js';
import type { WireObject } from '../core/wire-json.js';
import { findDmEvents, type DmEventRef } from '../stores/dm-events.js';
import { findInInbox } from '../stores/dm-inbox.js';
import { PostSet } from './hydrate/posts.js';
import { includeMedia } from './expand-posts.js';
import { includeUsers, type WantedUser } from './include-users.js';
import { Includes, onlyOne, type Envelope } from './includes.js';
import { presentPosts, type ViewDeps } from './post-page.js';
import { notFoundError, type Asking, wantedOf } from './present/partial-errors.js';
import { withFollowed, withoutExpansions, type Selection } from './selection.js';
import { dmEventFields } from './wire/dm-event.js';
import { presenter } from './wire/presenter.js';

export interface DmEventRequest {
  /** From the viewer's inbox, which decides the visibility of events. */
  readonly refs: readonly DmEventRef[];
  readonly viewerId: UserId;
  readonly selection: Selection;
  readonly eventFields: ReadonlySet<string>;
}

/**
 * Returns events in the given order, with the requested expansions (docs/api/objects.md#message-event,
 * docs/api/objects.md#field-selection).
 */
export async function viewDmEvents(deps: ViewDeps, request: DmEventRequest): Promise<Envelope<WireObject[]>> {
  const { refs, eventFields, selection, viewerId } = request;
  const stored = await findDmEvents(deps.reads.db, refs);
  const events = refs.map(({ eventId }) => stored.get(eventId)).filter((event) => event !== undefined);
  const present = presenter(dmEventFields, withFollowed(eventFields, selection));
  const posts = new PostSet(deps.reads, viewerId);
  return posts.complete(() => {
    const includes = new Includes();
    expandEvents(deps, request, events, posts, includes);
    const data = events.map((event) => present(event));
    return includes.envelope(data.length > 0 ? data : undefined);
  });
}

/** Returns one event as `data`, or an error entry if the viewer may not see it. */
export async function viewDmEvent(
  deps: ViewDeps,
  request: Omit<DmEventRequest, 'refs'> & Asking & { readonly id: DmEventId },
): Promise<Envelope<WireObject>> {
  const { id, viewerId } = request;
  const ref = await findInInbox(deps.reads.db, viewerId, id);
  if (!ref) return { errors: [notFoundError(wantedOf('dm_event', request, id))] };
  return onlyOne(await viewDmEvents(deps, { ...request, refs: [ref] }));
}

/** Adds what the expansions of events lead to. */
export function expandEvents(
  deps: ViewDeps,
  { selection, viewerId }: Pick<DmEventRequest, 'selection' | 'viewerId'>,
  events: readonly DmEvent[],
  posts: PostSet,
  includes: Includes,
): void {
  const { expansions, userFields, mediaFields } = selection;
  if (expansions.size === 0) return;
  includeUsers(posts, includes, wantedUsers(events, expansions), userFields);
  if (expansions.has('referenced_tweets.id')) {
    // The usual visibility check hides protected posts.
    const ids = [...new Set(events.flatMap(({ detail }) => detail.postIds ?? []))].map(
      (id) => BigInt(id) as PostId,
    );
    const referenced = {
      ids,
      viewerId,
      selection: withoutExpansions(selection),
      parameter: 'referenced_tweets.id',
    };
    includes.addPosts(presentPosts(deps, referenced, posts));
  }
  if (expansions.has('attachments.media_keys')) {
    const keys = new Set(events.flatMap(({ detail }) => detail.mediaKeys ?? []));
    includeMedia(posts, includes, keys, mediaFields);
  }
}

function wantedUsers(events: readonly DmEvent[], expansions: ReadonlySet<string>): WantedUser[] {
  return events.flatMap(({ senderId, detail: { participantIds = [] } }) => [
    ...(expansions.has('sender_id') && senderId !== undefined
      ? [{ parameter: 'sender_id', id: senderId }]
      : []),
    ...(expansions.has('participant_ids') ? participantIds : []).map((id) => ({
      parameter: 'participant_ids',
      id: BigInt(id) as UserId,
    })),
  ]);
}
