import { NamedError } from '../core/named-error.js';
import type { Engine } from '../database/engine.js';
import { StorageUnavailable } from '../database/errors.js';
import type { StorageLog } from '../database/storage-log.js';
import type { BlobStore } from '../stores/blobs/blob-store.js';
import { listOtherServers } from '../stores/servers.js';
import { findSharedFact, recordSharedFact, replaceSharedFact } from '../stores/shared-facts.js';
import { isRunning } from '../limits/exchange/database-exchange.js';

/** Thrown when this server would keep its media elsewhere than the other servers of its database. */
class MediaPlaceRefused extends NamedError {
  constructor(reason: string) {
    super(
      `${reason}: the media that one server receives would be missing on the others; ` +
        'give all servers of the database the same --media',
    );
  }
}

interface JoinDeps {
  readonly engine: Engine;
  readonly blobs: Pick<BlobStore, 'identify'>;
  readonly groupId: string;
  readonly nowMs: number;
  readonly log: StorageLog;
}

/**
 * Records where the media of the database are. A server that runs alone may have another place than before, which it
 * logs. Throws MediaPlaceRefused if other servers run with another place. While an object store cannot serve, the
 * server starts without the comparison: its other requests need no media.
 */
export async function joinMedia({ engine, blobs, groupId, nowMs, log }: JoinDeps): Promise<void> {
  const own = await blobs.identify().catch((err: unknown) => {
    if (!(err instanceof StorageUnavailable)) throw err;
    log.warn({ err }, 'the store of media cannot serve; it was not compared with that of the other servers');
    return undefined;
  });
  if (own === undefined) return;
  const isReplaced = await engine.tx('record the place of media', async (tx) => {
    if ((await recordSharedFact(tx, 'media', own)) === own) return false;
    const others = await listOtherServers(tx, groupId);
    if (others.some(isRunning(nowMs)))
      throw new MediaPlaceRefused('another server of this database runs with another place for media');
    await replaceSharedFact(tx, 'media', own);
    return true;
  });
  if (isReplaced)
    log.warn(
      {},
      'media are kept in another place than before: earlier files are missing unless you moved them',
    );
}

/** Throws MediaPlaceRefused if the servers of the database keep their media elsewhere. */
export async function requireSharedMedia(engine: Engine, blobs: Pick<BlobStore, 'findId'>): Promise<void> {
  const shared = await findSharedFact(engine, 'media');
  if (shared !== undefined && (await blobs.findId()) !== shared)
    throw new MediaPlaceRefused('the server of this database keeps its media in another place');
}
