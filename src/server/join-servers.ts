import { NamedError } from '../core/named-error.js';
import type { Engine } from '../database/engine.js';
import { StorageUnavailable } from '../database/errors.js';
import type { StorageLog } from '../database/storage-log.js';
import { isRunning } from '../limits/exchange/database-exchange.js';
import { recordKey } from '../services/secrets/key-place.js';
import type { BlobStore } from '../stores/blobs/blob-store.js';
import { listOtherServers } from '../stores/servers.js';
import { findSharedFact, recordSharedFact, replaceSharedFact } from '../stores/shared-facts.js';

/** Thrown when a server would not share with the others of its database what it must; the message says what to do. */
class SharingRefused extends NamedError {}

interface JoinDeps {
  readonly engine: Engine;
  readonly key: Buffer;
  readonly blobs: Pick<BlobStore, 'identify'>;
  /** Undefined if links lead to the host and port of each server. */
  readonly baseUrl: string | undefined;
  readonly groupId: string;
  readonly nowMs: number;
  readonly log: StorageLog;
}

/**
 * Compares what a server shares with the others of its database, and records it for those that join later. Throws
 * KeyFileRefused for another key, which the database never had. Throws SharingRefused if other servers run with
 * another place of media or another base URL; a server that runs alone may change them, which it logs.
 */
export async function joinServers(deps: JoinDeps): Promise<void> {
  const { engine, key, baseUrl, log } = deps;
  await recordKey(engine, key);
  const store = await identifyStore(deps);
  if (store !== undefined && (await changeFact(deps, 'media', store))) {
    log.warn(
      {},
      'media are kept in another place than before: earlier files are missing unless you moved them',
    );
  }
  if (baseUrl !== undefined) await changeFact(deps, 'base-url', baseUrl);
}

/**
 * Returns the id of the store of media. While an object store cannot serve, the server starts without the comparison:
 * its other requests need no media.
 */
async function identifyStore({ blobs, log }: JoinDeps): Promise<string | undefined> {
  try {
    return await blobs.identify();
  } catch (err) {
    if (!(err instanceof StorageUnavailable)) throw err;
    log.warn({ err }, 'the store of media cannot serve; it was not compared with that of the other servers');
    return undefined;
  }
}

const REFUSALS = {
  media:
    'another server of this database runs with another place for media, or was killed less than three minutes ago: ' +
    'the media that one server receives would be missing on the others; give all servers of the database the same --media',
  'base-url':
    'another server of this database runs with another base URL, or was killed less than three minutes ago: ' +
    'links would lead to different servers; give all servers of the database the same --base-url',
} as const;

/** Records a fact of this server. Returns true if it was another one before. */
async function changeFact(
  { engine, groupId, nowMs }: JoinDeps,
  name: keyof typeof REFUSALS,
  own: string,
): Promise<boolean> {
  return engine.tx('record what servers share', async (tx) => {
    if ((await recordSharedFact(tx, name, own)) === own) return false;
    if ((await listOtherServers(tx, groupId)).some(isRunning(nowMs)))
      throw new SharingRefused(REFUSALS[name]);
    await replaceSharedFact(tx, name, own);
    return true;
  });
}

/** Throws SharingRefused if the servers of the database keep their media elsewhere. */
export async function requireSharedMedia(engine: Engine, blobs: Pick<BlobStore, 'findId'>): Promise<void> {
  const shared = await findSharedFact(engine, 'media');
  if (shared === undefined || (await blobs.findId()) === shared) return;
  throw new SharingRefused(
    'the servers of this database keep their media in another place: name it by --media',
  );
}
