import type { WireJson, WireObject } from '../core/wire-json.js';
import type { PartialError } from './present/partial-errors.js';

export type Bucket = 'tweets' | 'users' | 'media' | 'polls' | 'places' | 'topics';

type Included = WireObject | WireJson;

/** Collects the `includes` and `errors` of an answer: each object once, in order of first use. */
export class Includes {
  // Created on demand: most answers have neither.
  private buckets: Map<Bucket, Map<string, Included>> | undefined;
  private errors: Map<string, PartialError> | undefined;

  /** Adds an object unless its id is present; calls `present` only then. */
  add(bucket: Bucket, id: string, present: () => Included): void {
    this.buckets ??= new Map();
    let objects = this.buckets.get(bucket);
    if (!objects) {
      objects = new Map();
      this.buckets.set(bucket, objects);
    }
    if (!objects.has(id)) objects.set(id, present());
  }

  /** Adds an entry unless the same entry exists for the object. */
  addError(error: PartialError): void {
    this.errors ??= new Map();
    const key = `${error.parameter} ${error.resource_id} ${error.field ?? ''}`;
    if (!this.errors.has(key)) this.errors.set(key, error);
  }

  /** Adds the posts and errors of a page that an expansion leads to. */
  addPosts({ data = [], errors = [] }: Envelope<readonly WireJson[]>): void {
    for (const post of data) this.add('tweets', post.id, () => post);
    for (const error of errors) {
      this.addError(error.section === undefined ? error : { ...error, section: 'includes' });
    }
  }

  /** Returns the answer's members without empty ones. */
  envelope<T>(data: T | undefined): Envelope<T> {
    const envelope: Envelope<T> = {};
    if (data !== undefined) envelope.data = data;
    if (this.buckets) {
      envelope.includes = {};
      for (const [bucket, objects] of this.buckets) envelope.includes[bucket] = [...objects.values()];
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
