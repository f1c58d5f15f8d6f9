import type { Clock } from '../../core/clock.js';
import type { PostId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { countOldRows, deleteOldRows, OLD_ROWS, type OldRows } from '../../stores/old-rows.js';
import { strayFiles } from '../checks/file-check.js';
import { countUnusedMedia, deleteUnusedMedia } from '../media/delete-unused.js';
import { deleteOldPosts, oldPosts, unusedAmong } from './imported-posts.js';
import { deleteUnshown, unshownMedia } from './unshown-media.js';

/** What was deleted, or would be. */
export interface Pruned {
  readonly what: 'imported posts' | 'imported media' | 'unused uploads' | 'files without media' | OldRows;
  readonly deleted: number;
  /** Of files. */
  readonly bytes?: number;
  /** Old enough, but used. */
  readonly kept?: number;
}

export interface PruneOrder {
  /** Imported posts written before then. */
  readonly importedBeforeMs?: number;
  /** Whether to delete media that nobody refers to, from this store. */
  readonly blobs?: Pick<BlobStore, 'list' | 'findSizeBytes' | 'delete' | 'deleteFolder' | 'deleteDrafts'>;
  /** Old rows from before then. */
  readonly rowsBeforeMs?: number;
  /** Counts only, and changes nothing. */
  readonly isDryRun: boolean;
}

export interface PruneDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Ends the work between two chunks. */
  readonly signal: AbortSignal;
  readonly onProgress?: (what: Pruned['what'], handled: number) => void;
}

/** Rows that one transaction deletes. */
const CHUNK = 500;

/**
 * Deletes what is ordered, a chunk in a transaction, while others read and write; yields what. Each transaction leaves
 * everything as it should be, so that an interruption loses nothing else, and the same order continues.
 */
export async function* prune(deps: PruneDeps, order: PruneOrder): AsyncGenerator<Pruned> {
  const { importedBeforeMs, blobs, rowsBeforeMs } = order;
  if (importedBeforeMs !== undefined) yield await prunePosts(deps, importedBeforeMs, order.isDryRun);
  if (blobs) {
    yield await pruneImportedMedia(deps, order);
    const media = { ...deps, blobs };
    const { media: deleted, bytes } = order.isDryRun
      ? await countUnusedMedia(media)
      : await deleteUnusedMedia(media, deps.signal);
    yield { what: 'unused uploads', deleted, bytes };
    yield await pruneFiles(deps, blobs, order.isDryRun);
  }
  if (rowsBeforeMs !== undefined)
    for (const kind of OLD_ROWS) yield await pruneRows(deps, kind, rowsBeforeMs, order.isDryRun);
}

async function prunePosts(
  { engine, signal, onProgress }: PruneDeps,
  beforeMs: number,
  isDryRun: boolean,
): Promise<Pruned> {
  let [deleted, kept] = [0, 0];
  for await (const { unused, used } of oldPosts(engine, beforeMs)) {
    signal.throwIfAborted();
    kept += used;
    deleted += isDryRun ? unused.length : await deleteOldPosts(engine, unused, beforeMs);
    onProgress?.('imported posts', deleted + kept);
  }
  return { what: 'imported posts', deleted, kept };
}

async function pruneImportedMedia(
  deps: PruneDeps,
  { importedBeforeMs, isDryRun }: PruneOrder,
): Promise<Pruned> {
  const goingAmong = async (posts: readonly Post[]): Promise<ReadonlySet<PostId>> =>
    importedBeforeMs === undefined ? new Set() : unusedAmong(deps.engine, posts, importedBeforeMs);
  let deleted = 0;
  for await (const ids of unshownMedia(deps, goingAmong)) {
    if (!isDryRun) await deleteUnshown(deps.engine, ids);
    deleted += ids.length;
    deps.onProgress?.('imported media', deleted);
  }
  return { what: 'imported media', deleted };
}

async function pruneFiles(
  { engine, clock, signal, onProgress }: PruneDeps,
  blobs: NonNullable<PruneOrder['blobs']>,
  isDryRun: boolean,
): Promise<Pruned> {
  let [deleted, bytes] = [0, 0];
  for await (const { strays } of strayFiles(engine, { blobs, clock })) {
    for (const { name, sizeBytes } of strays) {
      signal.throwIfAborted();
      if (!isDryRun) await blobs.delete(name);
      deleted += 1;
      bytes += sizeBytes;
    }
    onProgress?.('files without media', deleted);
  }
  return { what: 'files without media', deleted, bytes };
}

async function pruneRows(
  { engine, signal }: PruneDeps,
  what: OldRows,
  beforeMs: number,
  isDryRun: boolean,
): Promise<Pruned> {
  if (isDryRun) return { what, deleted: await countOldRows(engine, what, beforeMs) };
  let [deleted, chunk] = [0, 0];
  do {
    signal.throwIfAborted();
    chunk = await engine.tx('prune rows', (tx) => deleteOldRows(tx, what, beforeMs, CHUNK));
    deleted += chunk;
  } while (chunk > 0);
  return { what, deleted };
}
