import type { Clock } from '../../core/clock.js';
import type { ComplianceJobId, MediaId } from '../../core/ids.js';
import type { JobPayloads } from '../../core/jobs.js';
import { giveUpUpload } from '../media/segments.js';
import { endComplianceJob, findComplianceJob } from '../../stores/compliance-jobs.js';
import type { Tx } from '../../database/engine.js';
import { endReplay } from '../webhooks/replay.js';
import type { DeadLetterHandler } from './handler.js';

type Endings = {
  readonly [Kind in keyof JobPayloads]?: (tx: Tx, payload: JobPayloads[Kind]) => Promise<void>;
};

/** Creates the dead letter handler. It marks compliance jobs, video uploads and replays as failed. Idempotent. */
export function createDeadLetterHandler({ clock }: { readonly clock: Clock }): DeadLetterHandler {
  const endings: Endings = {
    'check-compliance': async (tx, { jobId }) => {
      const job = await findComplianceJob(tx, BigInt(jobId) as ComplianceJobId);
      if (job) await endComplianceJob(tx, job, 'failed');
    },
    'process-media': (tx, { mediaId }) => giveUpUpload(tx, BigInt(mediaId) as MediaId, clock()),
    'replay-webhook': (tx, payload) => endReplay(tx, payload, 'Failed', clock()),
  };
  const byKind = new Map(Object.entries<((tx: Tx, payload: never) => Promise<void>) | undefined>(endings));
  return async (tx, { kind, payload }) => byKind.get(kind)?.(tx, payload as never);
}
