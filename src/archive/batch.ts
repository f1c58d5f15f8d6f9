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
  each('user', line.users, (wire) => {
    const sighting = mapUser(wire, observedAtMs);
    merge(batch.users, sighting.user.id, sighting, combineUsers);
  });
  each('post', line.posts, (wire) => {
    const sighting = mapPost(wire, context);
    merge(batch.posts, sighting.post.id, sighting, combinePosts);
  });
  each('media', line.media, (wire) => {
    const sighting = mapMedia(wire, observedAtMs);
    merge(batch.media, sighting.media.id, sighting, combineMedia);
  });
  each('poll', line.polls, (wire) => {
    const sighting = mapPoll(wire, observedAtMs);
    merge(batch.polls, sighting.poll.id, sighting, combinePolls);
  });
  each('place', line.places, (wire) => {
    const place = mapPlace(wire);
    batch.places.set(place.id, place);
  });
  return refused;
}

function merge<Id, S>(known: Map<Id, S>, id: Id, sighting: S, combine: (first: S, second: S) => S): void {
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
