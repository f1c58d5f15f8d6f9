import type { PostId, UserId } from '../../core/ids.js';
import type { GrowAuthorPayload, JobPayloads, RetractPostPayload } from '../../core/jobs.js';
import type { Engine, Tx } from '../../database/engine.js';
import { FAN_OUT_FOLLOWERS } from './fan-out.js';
import { listFollowersAfter } from '../../stores/follows.js';
import { deletePostEntries } from '../../stores/home-timelines.js';
import { insertLargeFollows, markLargeAuthorReady } from '../../stores/large-authors.js';
import type { JobHandlers, JobRun } from '../jobs/handler.js';

type FollowerJob = 'retract-post' | 'grow-author';

/** Creates the job handlers that process all followers of an author, in chunks (docs/design/timelines.md#fan-out). */
export function createFollowerJobs({
  engine,
}: {
  readonly engine: Engine;
}): Required<Pick<JobHandlers<JobPayloads>, FollowerJob>> {
  return {
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

/** Processes the next chunk of the author's followers; the next run continues. */
async function forChunk<Payload extends RetractPostPayload | GrowAuthorPayload>(
  tx: Tx,
  run: JobRun<Payload>,
  serve: (followers: readonly UserId[]) => Promise<unknown>,
  finish: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { authorId, after } = run.payload;
  const from = after === undefined ? undefined : (BigInt(after) as UserId);
  const followers = await listFollowersAfter(tx, BigInt(authorId) as UserId, from, FAN_OUT_FOLLOWERS);
  if (followers.length > 0) await serve(followers);
  if (followers.length === FAN_OUT_FOLLOWERS) {
    await run.continueWith(tx, { ...run.payload, after: String(followers.at(-1)) });
    return;
  }
  await finish();
  await run.completeIn(tx);
}
