import type { PostId, UserId } from '../../core/ids.js';
import type { FanOutPayload, GrowAuthorPayload, JobPayloads } from '../../core/jobs.js';
import type { Engine, Tx } from '../../storage/engine.js';
import { listFollowersAfter } from '../../storage/follows.js';
import { deletePostEntries, insertHomeEntries } from '../../storage/home-timelines.js';
import { findLargeAuthor, insertLargeFollows, markLargeAuthorReady } from '../../storage/large-authors.js';
import { hasPost } from '../../storage/posts.js';
import type { JobHandlers, JobRun } from '../handler.js';

/** So many followers are served in one transaction: few enough that requests in between hardly wait. */
const CHUNK = 1_000;

type FanOutKind = 'fan-out-post' | 'retract-post' | 'grow-author';

/** What follows from posting and following, for all followers of an author, a chunk of them at a time (design section 3). */
export function createFanOut({
  engine,
}: {
  readonly engine: Engine;
}): Required<Pick<JobHandlers<JobPayloads>, FanOutKind>> {
  return {
    'fan-out-post': (run) =>
      engine.tx('fan out post', async (tx) => {
        const { authorId, createdAtMs } = run.payload;
        const id = BigInt(run.payload.postId) as PostId;
        const author = BigInt(authorId) as UserId;
        // Deleted meanwhile, or merged on reading by now: nothing is to be written.
        if (!(await hasPost(tx, id)) || (await findLargeAuthor(tx, author)) === 'ready') {
          return run.completeIn(tx);
        }
        return forChunk(tx, run, (followers) =>
          insertHomeEntries(tx, { id, authorId: author, createdAtMs }, followers),
        );
      }),
    'retract-post': (run) =>
      engine.tx('retract post', (tx) =>
        forChunk(tx, run, (followers) =>
          deletePostEntries(tx, BigInt(run.payload.postId) as PostId, followers),
        ),
      ),
    'grow-author': (run) =>
      engine.tx('grow author', async (tx) => {
        const author = BigInt(run.payload.authorId) as UserId;
        await forChunk(
          tx,
          run,
          (followers) => insertLargeFollows(tx, author, followers),
          () => markLargeAuthorReady(tx, author),
        );
      }),
  };
}

/** Does the next chunk of the author's followers, and leaves the rest to the next run. */
async function forChunk<Payload extends FanOutPayload | GrowAuthorPayload>(
  tx: Tx,
  run: JobRun<Payload>,
  serve: (followers: readonly UserId[]) => Promise<void>,
  finish: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { authorId, after } = run.payload;
  const from = after === undefined ? undefined : (BigInt(after) as UserId);
  const followers = await listFollowersAfter(tx, BigInt(authorId) as UserId, from, CHUNK);
  if (followers.length > 0) await serve(followers);
  if (followers.length === CHUNK) {
    await run.continueWith(tx, { ...run.payload, after: String(followers.at(-1)) });
    return;
  }
  await finish();
  await run.completeIn(tx);
}
