import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/snowflake.js';
import type { Engine } from '../database/engine.js';
import type { JobQueue } from '../stores/job-queue.js';

/** What services share; each picks what it needs. */
export interface ServiceDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly queue: JobQueue;
}
