import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import type { AppService } from '../apps/apps.js';
import type { TokenService } from '../apps/tokens.js';

/** The dependencies of the services behind the web pages. */
export interface AccountDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly queue: JobQueue;
  readonly apps: AppService;
  readonly tokens: TokenService;
}
