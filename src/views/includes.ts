import type { PartialError } from './present/partial-errors.js';

export type Bucket = 'tweets' | 'users' | 'media' | 'polls' | 'places';

/** The `includes` and `errors` of an answer while it is built: each object once, in order of first use. */
export class Includes {
  private readonly buckets = new Map<Bucket, Map<string, unknown>>();
  private readonly errors = new Map<string, PartialError>();

  /** Adds an object unless its id is there; `present` runs only then. */
  add(bucket: Bucket, id: string, present: () => unknown): void {
    let objects = this.buckets.get(bucket);
    if (!objects) {
      objects = new Map();
      this.buckets.set(bucket, objects);
    }
    if (!objects.has(id)) objects.set(id, present());
  }

  /** Adds an entry unless the same was said of the same object. */
  addError(error: PartialError): void {
    const key = `${error.parameter} ${error.resource_id} ${error.field ?? ''}`;
    if (!this.errors.has(key)) this.errors.set(key, error);
  }

  /** The answer's members: those that are empty are left out. */
  envelope<T>(data: T | undefined): Envelope<T> {
    const envelope: Envelope<T> = {};
    if (data !== undefined) envelope.data = data;
    if (this.buckets.size > 0) {
      envelope.includes = {};
      for (const [bucket, objects] of this.buckets) envelope.includes[bucket] = [...objects.values()];
    }
    if (this.errors.size > 0) envelope.errors = [...this.errors.values()];
    return envelope;
  }
}

/** The body of a reading answer (specification 2.3). */
export interface Envelope<T> {
  data?: T;
  includes?: Partial<Record<Bucket, unknown[]>>;
  errors?: PartialError[];
  meta?: Record<string, unknown>;
}
