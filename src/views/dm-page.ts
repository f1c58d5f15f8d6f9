import type { DmEvent } from '../core/direct-message.js';
import type { DmEventId, PostId, UserId } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import type { WireObject } from '../core/wire-json.js';
import { findDmEvents, type DmEventRef } from '../stores/dm-events.js';
import { findInInbox } from '../stores/dm-inbox.js';
import { findMedia } from '../stores/media.js';
import { includeMedia } from './expand-posts.js';
import { includeUsers } from './include-users.js';
import { Includes, onlyOne, type Envelope } from './includes.js';
import { viewPosts, type ViewDeps } from './post-page.js';
import { notFoundError, type Asking, wantedOf } from './present/partial-errors.js';
import type { Selection } from './selection.js';
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
  const { refs, eventFields, selection } = request;
  const stored = await findDmEvents(deps.reads.db, refs);
  const events = refs.map(({ eventId }) => stored.get(eventId)).filter((event) => event !== undefined);
  const includes = new Includes();
  if (selection.expansions.size > 0) {
    await expandUsers(deps, request, events, includes);
    await expandPosts(deps, request, events, includes);
    if (selection.expansions.has('attachments.media_keys')) {
      const keys = new Set(events.flatMap(({ detail }) => detail.mediaKeys ?? []));
      const media = await findMedia(deps.reads.db, [...keys].map(mediaIdOfKey));
      includeMedia((id) => media.get(id), includes, keys, selection.mediaFields);
    }
  }
  const present = presenter(dmEventFields, shownFields(eventFields, selection));
  const data = events.map((event) => present(event));
  return includes.envelope(data.length > 0 ? data : undefined);
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

/** Adds the field that each expansion follows (docs/api/objects.md#field-selection). */
function shownFields(asked: ReadonlySet<string>, { expansions }: Selection): ReadonlySet<string> {
  if (expansions.size === 0) return asked;
  return new Set([...asked, ...[...expansions].map((expansion) => expansion.split('.')[0] ?? expansion)]);
}

async function expandUsers(
  { reads }: ViewDeps,
  { selection, viewerId }: DmEventRequest,
  events: readonly DmEvent[],
  includes: Includes,
): Promise<void> {
  const { expansions, userFields } = selection;
  const wanted = events.flatMap(({ senderId, detail }) => [
    ...(expansions.has('sender_id') && senderId !== undefined ? [['sender_id', senderId] as const] : []),
    ...(expansions.has('participant_ids') ? (detail.participantIds ?? []) : []).map(
      (id) => ['participant_ids', BigInt(id) as UserId] as const,
    ),
  ]);
  await includeUsers(reads, includes, wanted, { viewerId, fields: userFields });
}

/** Expands posts through the usual visibility check, which hides protected ones. */
async function expandPosts(
  deps: ViewDeps,
  { selection, viewerId }: DmEventRequest,
  events: readonly DmEvent[],
  includes: Includes,
): Promise<void> {
  if (!selection.expansions.has('referenced_tweets.id')) return;
  const ids = new Set(events.flatMap(({ detail }) => detail.postIds ?? []));
  const page = await viewPosts(deps, {
    ids: [...ids].map((id) => BigInt(id) as PostId),
    viewerId,
    selection: { ...selection, expansions: new Set() },
    parameter: 'referenced_tweets.id',
  });
  includes.addPosts(page);
}
