import type { MediaId } from '../../core/ids.js';
import type { ProcessMediaPayload } from '../../core/jobs.js';
import type { MediaService } from './media.js';
import type { JobHandler } from '../jobs/handler.js';

/**
 * Makes media of an upload whose pieces are all there. It ends with the upload, in one transaction; broken off before,
 * it is done again from the pieces.
 */
export function createMediaProcessing(deps: {
  readonly media: Pick<MediaService, 'process'>;
}): JobHandler<ProcessMediaPayload> {
  return (run) => {
    const id = BigInt(run.payload.mediaId) as MediaId;
    return deps.media.process(id, (tx) => run.completeIn(tx));
  };
}
