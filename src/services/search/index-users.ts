import type { IndexUsersPayload } from '../../core/jobs.js';
import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { addUserWords } from '../../stores/user-words.js';
import { findUsers, pageUserIds } from '../../stores/users.js';
import type { JobHandler } from '../jobs/handler.js';

const CHUNK = 200;

/** Creates the handler that adds the words of users who were stored before the search of users existed, in chunks. */
export function createIndexUsers({ engine }: { readonly engine: Engine }): JobHandler<IndexUsersPayload> {
  return (run) =>
    engine.tx('index users', async (tx) => {
      const ids = await pageUserIds(tx, BigInt(run.payload.after ?? -1) as UserId, CHUNK);
      await addUserWords(tx, [...(await findUsers(tx, ids)).values()]);
      const last = ids.at(-1);
      if (last === undefined) return run.completeIn(tx);
      return run.continueWith(tx, { after: String(last) });
    });
}
