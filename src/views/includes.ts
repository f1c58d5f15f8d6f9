import type { User } from '../core/user.js';
import type { WireJson, WireObject } from '../core/wire-json.js';
import type { PartialError } from './present/partial-errors.js';

export type Bucket = 'tweets' | 'users' | 'media' | 'polls' | 'places' | 'topics';

type Included = WireObject | WireJson;

/** What an answer collects. */
export interface Collected {
  readonly objects: readonly Inclusion[];
  readonly errors: readonly PartialError[];
}

/** An object of `includes`. */
interface Inclusion {
  readonly bucket: Bucket;
  readonly id: string;
  readonly object: Included;
}

/** Collects the `includes` and `errors` of an answer: each object once, in order of first use. */
export class Includes {
  private readonly buckets: Partial<Record<Bucket, Map<string, Included>>> = {};
  // Created on demand: most have none.
  private users: Set<User> | undefined;
  private errors: Map<string, PartialError> | undefined;

  /** Adds an object unless its id is present. */
  add(bucket: Bucket, id: string, object: Included): void {
    const objects = (this.buckets[bucket] ??= new Map());
    if (!objects.has(id)) objects.set(id, object);
  }

  /** Adds a user unless it is present; `objects` has what `write` shows beside it. */
  addUser<O>(user: User, write: (user: User, objects: O) => WireJson, objects: O): void {
    const { users = (this.users = new Set()) } = this;
    const { size } = users;
    if (users.add(user).size === size) return;
    const wire = write(user, objects);
    this.add('users', wire.id, wire);
  }

  /** Adds what another answer collected; see `collected`. */
  addAll({ objects, errors }: Collected): void {
    for (const { bucket, id, object } of objects) this.add(bucket, id, object);
    for (const error of errors) this.addError(error);
  }

  /** Returns what was collected. */
  collected(): Collected {
    const objects: Inclusion[] = [];
    for (const [bucket, map] of Object.entries(this.buckets) as [Bucket, Map<string, Included>][]) {
      map.forEach((object, id) => objects.push({ bucket, id, object }));
    }
    return { objects, errors: [...(this.errors?.values() ?? [])] };
  }

  /** Adds an entry unless the same entry exists for the object. */
  addError(error: PartialError): void {
    this.errors ??= new Map();
    const key = `${error.parameter} ${error.resource_id} ${error.field ?? ''}`;
    if (!this.errors.has(key)) this.errors.set(key, error);
  }

  /** Adds the posts and errors of a page that an expansion leads to. */
  addPosts({ data = [], errors = [] }: Envelope<readonly WireJson[]>): void {
    for (const post of data) this.add('tweets', post.id, post);
    for (const error of errors) {
      this.addError(error.section === undefined ? error : { ...error, section: 'includes' });
    }
  }

  /** Returns the answer's members without empty ones. */
  envelope<T>(data: T | undefined): Envelope<T> {
    const envelope: Envelope<T> = {};
    if (data !== undefined) envelope.data = data;
    for (const [bucket, objects] of Object.entries(this.buckets)) {
      envelope.includes ??= {};
      envelope.includes[bucket as Bucket] = [...objects.values()];
    }
    if (this.errors) envelope.errors = [...this.errors.values()];
    return envelope;
  }
}

/** The body of a read answer (docs/api/requests.md#answers). */
export interface Envelope<T> {
  data?: T;
  includes?: Partial<Record<Bucket, Included[]>>;
  errors?: PartialError[];
  meta?: Record<string, unknown>;
}

/** Returns the answer to a lookup of one object, with the object itself as `data`. */
export function onlyOne<T>({ data, ...rest }: Envelope<readonly T[]>): Envelope<T> {
  return data?.[0] === undefined ? rest : { data: data[0], ...rest };
}

/** Returns the view of one object, with the object itself as `data`; requests name it alone. */
export function viewOnly<D, R, T>(
  deps: D,
  view: (deps: D, request: R) => Promise<Envelope<readonly T[]>>,
): (request: R) => Promise<Envelope<T>> {
  return async (request) => onlyOne(await view(deps, request));
}
