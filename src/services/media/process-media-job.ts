import type { MediaId } from '../../core/ids.js';
import type { ProcessMediaPayload } from '../../core/jobs.js';
import type { MediaService } from './media.js';
import type { JobHandler } from '../jobs/handler.js';

/**
 * Creates the handler that processes complete uploads. The job completes in the transaction that ends the
 * upload; after a crash it starts again from the segments.
 */
export function createMediaProcessing(deps: {
  readonly media: Pick<MediaService, 'process'>;
}): JobHandler<ProcessMediaPayload> {
  return (run) => {
    const id = BigInt(run.payload.mediaId) as MediaId;
    return deps.media.process(id, (tx) => run.completeIn(tx));
  };
}
