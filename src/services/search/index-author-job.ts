import type { PostId, UserId } from '../../core/ids.js';
import type { IndexAuthorPayload } from '../../core/jobs.js';
import { indexAuthorChunk } from './index-author.js';
import type { Engine } from '../../database/engine.js';
import type { JobHandler } from '../jobs/handler.js';

/**
 * Creates the handler that reindexes an account after it was protected, unprotected or suspended, in chunks
 * of posts.
 */
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
