import type { MediaId } from '../../core/ids.js';
import type { ProcessMediaPayload } from '../../core/jobs.js';
import { StorageUnavailable } from '../../database/errors.js';
import type { JobHandler } from '../jobs/handler.js';
import type { ServiceDeps } from '../service-deps.js';
import type { MediaService } from './media.js';

/** The pause before the next try while the store of media cannot serve. */
const STORE_PAUSE_MS = 10_000;

/**
 * Creates the handler that processes complete uploads. The job completes in the transaction that ends the upload;
 * after a crash it starts again from the segments. While the store of media cannot serve, it waits for it: these tries
 * do not count, because the client was told that the upload is being processed.
 */
export function createMediaProcessing({
  media,
  engine,
  clock,
}: Pick<ServiceDeps, 'engine' | 'clock'> & {
  readonly media: Pick<MediaService, 'process'>;
}): JobHandler<ProcessMediaPayload> {
  return async (run) => {
    const id = BigInt(run.payload.mediaId) as MediaId;
    try {
      await media.process(id, (tx) => run.completeIn(tx));
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      const againMs = clock() + STORE_PAUSE_MS;
      await engine.tx('wait for the store of media', (tx) => run.continueWith(tx, run.payload, againMs));
    }
  };
}
