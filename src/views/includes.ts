import type { PartialError } from './present/partial-errors.js';

export type Bucket = 'tweets' | 'users' | 'media' | 'polls' | 'places' | 'topics';

/** The `includes` and `errors` of an answer while it is built: each object once, in order of first use. */
export class Includes {
  // Made when they are needed: most answers have neither.
  private buckets: Map<Bucket, Map<string, unknown>> | undefined;
  private errors: Map<string, PartialError> | undefined;

  /** Adds an object unless its id is there; `present` runs only then. */
  add(bucket: Bucket, id: string, present: () => unknown): void {
    this.buckets ??= new Map();
    let objects = this.buckets.get(bucket);
    if (!objects) {
      objects = new Map();
      this.buckets.set(bucket, objects);
    }
    if (!objects.has(id)) objects.set(id, present());
  }

  /** Adds an entry unless the same was said of the same object. */
  addError(error: PartialError): void {
    this.errors ??= new Map();
    const key = `${error.parameter} ${error.resource_id} ${error.field ?? ''}`;
    if (!this.errors.has(key)) this.errors.set(key, error);
  }

  /** The answer's members: those that are empty are left out. */
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

/** The body of a reading answer (docs/api/requests.md#answers). */
export interface Envelope<T> {
  data?: T;
  includes?: Partial<Record<Bucket, unknown[]>>;
  errors?: PartialError[];
  meta?: Record<string, unknown>;
}
