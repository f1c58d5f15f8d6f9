import type { AppId, PostId } from '../../core/ids.js';

/** The unwritten usage of an app on one day: the posts it received, and its requests. */
export interface UsageBatch {
  readonly appId: AppId;
  /** `usageDay`. */
  readonly day: number;
  readonly postIds: ReadonlySet<string>;
  readonly requests: number;
}

/** The number of posts remembered per app. Beyond it, the database removes duplicates. */
const MAX_SEEN = 100_000;

/** Returns the post ids of a batch. */
export function postIdsOf({ postIds }: UsageBatch): PostId[] {
  return [...postIds].map((id) => BigInt(id) as PostId);
}

interface WaitingBatch extends UsageBatch {
  readonly postIds: Set<string>;
  requests: number;
}

/** Creates a buffer of usage until it is written to the database. */
export function createUsageBuffer() {
  const seen = new Map<AppId, { day: number; ids: Set<string> }>();
  const sizes = new Map<AppId, number>();
  let waiting = new Map<string, WaitingBatch>();

  const seenOn = (appId: AppId, day: number): Set<string> => {
    const known = seen.get(appId);
    if (known?.day === day && known.ids.size < MAX_SEEN) return known.ids;
    const ids = new Set<string>();
    seen.set(appId, { day, ids });
    return ids;
  };
  const waitingOf = (appId: AppId, day: number): WaitingBatch => {
    const key = `${appId} ${day}`;
    const known = waiting.get(key);
    if (known) return known;
    const batch = { appId, day, postIds: new Set<string>(), requests: 0 };
    waiting.set(key, batch);
    return batch;
  };
  const addToSize = (appId: AppId, by: number): void => {
    sizes.set(appId, (sizes.get(appId) ?? 0) + by);
  };

  return {
    /** Counts a request of the app on that day. */
    addRequest: (appId: AppId, day: number) => {
      waitingOf(appId, day).requests += 1;
    },
    /**
     * Adds the posts that the app did not receive before on that day; returns false when there are none. The check is
     * best effort.
     */
    add: (appId: AppId, day: number, postIds: readonly string[]) => {
      const known = seenOn(appId, day);
      const fresh = new Set(postIds.filter((id) => !known.has(id)));
      if (fresh.size === 0) return false;
      const batch = waitingOf(appId, day).postIds;
      const before = batch.size;
      for (const id of fresh) {
        known.add(id);
        batch.add(id);
      }
      addToSize(appId, batch.size - before);
      return true;
    },
    /** Returns the number of the app's posts that are not `written` yet. */
    size: (appId: AppId) => sizes.get(appId) ?? 0,
    /** Returns the batches added since; each must then be passed to `written` or `putBack`. */
    take: () => {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    written: ({ appId, postIds }: UsageBatch) => addToSize(appId, -postIds.size),
    putBack: ({ appId, day, postIds, requests }: UsageBatch) => {
      const batch = waitingOf(appId, day);
      batch.requests += requests;
      const before = batch.postIds.size;
      for (const id of postIds) batch.postIds.add(id);
      // Some of the posts may have been added again since.
      addToSize(appId, batch.postIds.size - before - postIds.size);
    },
  };
}
