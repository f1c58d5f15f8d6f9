import type { PostId, UserId } from '../../core/ids.js';
import type { IndexAuthorPayload } from '../../core/jobs.js';
import { indexAuthorChunk } from './index-author.js';
import type { Engine } from '../../database/engine.js';
import type { JobHandler } from '../jobs/handler.js';

/** Brings an account that was opened, closed or suspended up to date in the search index, a chunk of posts at a time. */
export function createIndexAuthor({ engine }: { readonly engine: Engine }): JobHandler<IndexAuthorPayload> {
  return (run) =>
    engine.tx('index author', async (tx) => {
      const { userId, belowId } = run.payload;
      const below = belowId === undefined ? undefined : (BigInt(belowId) as PostId);
      const last = await indexAuthorChunk(tx, engine, BigInt(userId) as UserId, below);
      if (last === undefined) return run.completeIn(tx);
      return run.continueWith(tx, { userId, belowId: String(last) });
    });
}
