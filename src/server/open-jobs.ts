import type { JobPayloads } from '../core/jobs.js';
import { createComplianceHandlers } from '../services/compliance/compliance-work.js';
import { createAccountDeletion } from '../services/accounts/delete-account.js';
import { createFollowerJobs } from '../services/timelines/follower-jobs.js';
import { createIndexAuthor } from '../services/search/index-author.js';
import { createIndexUsers } from '../services/search/index-users.js';
import { createHousekeeping } from '../services/jobs/housekeeping.js';
import { createFanOut } from '../services/timelines/fan-out-loop.js';
import { createSearchIndexing } from '../services/search/indexing-loop.js';
import type { JobHandlers } from '../services/jobs/handler.js';
import { createDeadLetterHandler } from '../services/jobs/dead-letters.js';
import { createJobWorker } from '../services/jobs/worker.js';
import { createReplay } from '../services/webhooks/replay.js';
import type { MediaService } from '../services/media/media.js';
import { createMediaProcessing } from '../services/media/process-media.js';
import type { Backend } from './backend.js';
import { openScheduledBackups, type ScheduleDeps } from './backups/scheduled-backups.js';
import type { Config } from './config.js';
import { traceJobs } from './open-tracing.js';
import type { Tracing } from '../operations/tracing/tracing.js';

interface JobsOptions extends Pick<ScheduleDeps, 'log' | 'dataFolder' | 'mediaFolder'> {
  readonly random?: () => number;
  readonly tracing?: Tracing;
}

/** Creates the background work of a server. It does nothing until it is started. */
export function openJobs(
  config: Config,
  { log, random, tracing, dataFolder, mediaFolder }: JobsOptions,
  backend: Backend,
  media: MediaService,
) {
  const { engine, ids, clock, queue, fanOutOrdered } = backend;
  const { feedRetention: feedKeptMs } = config;
  const backups = openScheduledBackups(config, { ...backend, log, dataFolder, mediaFolder });
  const handlers = {
    housekeeping: createHousekeeping({ engine, clock, queue, media, feedKeptMs }),
    'process-media': createMediaProcessing({ engine, clock, media }),
    'index-author': createIndexAuthor({ engine }),
    'index-users': createIndexUsers({ engine }),
    'replay-webhook': createReplay({ engine, clock }),
    'delete-account': createAccountDeletion({ engine, clock, ids }),
    ...createFollowerJobs({ engine }),
    ...createComplianceHandlers({ engine, clock }),
    // Servers without a schedule leave it to others.
    ...(backups && { backup: backups.handler }),
  } satisfies Required<Omit<JobHandlers<JobPayloads>, 'backup'>>;
  return {
    kinds: Object.keys(handlers),
    queue,
    backups,
    worker: createJobWorker({
      engine,
      ids,
      clock,
      log,
      random,
      handlers: traceJobs<JobHandlers<JobPayloads>>(handlers, tracing),
      onDeadLetter: createDeadLetterHandler({ clock }),
      queue,
    }),
    fanOut: createFanOut({ engine, log, ordered: fanOutOrdered }),
    indexing: createSearchIndexing({ engine, log }),
  };
}
