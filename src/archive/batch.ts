import type { MediaId, PollId, PostId, UserId } from '../core/ids.js';
import type { Place } from '../core/post.js';
import { mapMedia, mapPlace, mapPoll } from './map-attachments.js';
import { idOf, mapPost } from './map-post.js';
import { mapUser } from './map-user.js';
import {
  combineMedia,
  combinePolls,
  combinePosts,
  combineUsers,
  type MediaSighting,
  type PollSighting,
  type PostSighting,
  type UserSighting,
} from './sighting.js';
import type { LineObjects } from './twarc-line.js';
import { asText, RefusedObject, type WireObject } from './wire-json.js';

/** The mapped objects of several lines, without duplicates; written in one transaction. */
export interface Batch {
  readonly posts: Map<PostId, PostSighting>;
  readonly users: Map<UserId, UserSighting>;
  readonly media: Map<MediaId, MediaSighting>;
  readonly polls: Map<PollId, PollSighting>;
  readonly places: Map<string, Place>;
}

/** An object of a line that was refused. */
export interface RefusedPart {
  readonly reason: string;
  readonly object: WireObject;
}

export function newBatch(): Batch {
  return { posts: new Map(), users: new Map(), media: new Map(), polls: new Map(), places: new Map() };
}

/** Returns the approximate number of rows the batch writes. */
export function batchSize(batch: Batch): number {
  return batch.posts.size + batch.users.size + batch.media.size + batch.polls.size;
}

/** Maps the objects of a line into the batch; returns the refused ones. */
export function addToBatch(batch: Batch, line: LineObjects): RefusedPart[] {
  const { observedAtMs } = line;
  const refused: RefusedPart[] = [];
  const each = (kind: string, objects: readonly WireObject[], take: (wire: WireObject) => void): void => {
    for (const object of objects) {
      const reason = reasonToRefuse(() => take(object));
      if (reason !== undefined) refused.push({ reason: `${kind}: ${reason}`, object });
    }
  };
  const context = { observedAtMs, userIdOf: usernameLookup(line.users) };
  each('user', line.users, (wire) => merge('user', batch.users, mapUser(wire, observedAtMs), combineUsers));
  each('post', line.posts, (wire) => merge('post', batch.posts, mapPost(wire, context), combinePosts));
  each('media', line.media, (wire) =>
    merge('media', batch.media, mapMedia(wire, observedAtMs), combineMedia),
  );
  each('poll', line.polls, (wire) => merge('poll', batch.polls, mapPoll(wire, observedAtMs), combinePolls));
  each('place', line.places, (wire) => {
    const place = mapPlace(wire);
    batch.places.set(place.id, place);
  });
  return refused;
}

/** Adds a sighting of an object of this kind, or combines it with an earlier one. */
function merge<K extends string, Id, S extends Readonly<Record<K, { readonly id: Id }>>>(
  kind: K,
  known: Map<Id, S>,
  sighting: S,
  combine: (first: S, second: S) => S,
): void {
  const { id } = sighting[kind];
  const first = known.get(id);
  known.set(id, first === undefined ? sighting : combine(first, sighting));
}

function reasonToRefuse(take: () => void): string | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (error instanceof RefusedObject) return error.message;
    throw error;
  }
}

/** Built on first use, because most mentions include ids. */
function usernameLookup(users: readonly WireObject[]): (username: string) => UserId | undefined {
  let ids: Map<string, UserId | undefined> | undefined;
  return (username) => {
    ids ??= new Map(users.flatMap(namedId));
    return ids.get(username.toLowerCase());
  };
}

function namedId(user: WireObject): [string, UserId | undefined][] {
  const username = asText(user.username)?.toLowerCase();
  return username === undefined ? [] : [[username, idOf<UserId>(user.id)]];
}
