import type { AppId, PostId } from '../../core/ids.js';

/** Posts that an app was given on one day and that are not counted yet. */
export interface UsageBatch {
  readonly appId: AppId;
  /** `usageDay`. */
  readonly day: number;
  readonly postIds: ReadonlySet<string>;
}

/** Posts on their way to the database. */
export interface UsageBuffer {
  /** Adds what the app was not given before on that day, as far as is remembered; false when that is nothing. */
  add(appId: AppId, day: number, postIds: readonly string[]): boolean;
  /** How many of the app's posts were added and are not `written` yet. */
  size(appId: AppId): number;
  /** What was added since; each batch must then be `written` or `putBack`. */
  take(): UsageBatch[];
  written(batch: UsageBatch): void;
  putBack(batch: UsageBatch): void;
}

/** More are not remembered for an app: those that come again are told apart by the database. */
const MAX_SEEN = 100_000;

/** The posts of a batch as the database knows them. */
export function postIdsOf({ postIds }: UsageBatch): PostId[] {
  return [...postIds].map((id) => BigInt(id) as PostId);
}

export function createUsageBuffer(): UsageBuffer {
  const seen = new Map<AppId, { day: number; ids: Set<string> }>();
  const sizes = new Map<AppId, number>();
  let waiting = new Map<string, { appId: AppId; day: number; postIds: Set<string> }>();

  const seenOn = (appId: AppId, day: number): Set<string> => {
    const known = seen.get(appId);
    if (known?.day === day && known.ids.size < MAX_SEEN) return known.ids;
    const ids = new Set<string>();
    seen.set(appId, { day, ids });
    return ids;
  };
  const waitingOf = (appId: AppId, day: number): Set<string> => {
    const key = `${appId} ${day}`;
    const known = waiting.get(key) ?? { appId, day, postIds: new Set<string>() };
    waiting.set(key, known);
    return known.postIds;
  };
  const addToSize = (appId: AppId, by: number): void => {
    sizes.set(appId, (sizes.get(appId) ?? 0) + by);
  };

  return {
    add: (appId, day, postIds) => {
      const known = seenOn(appId, day);
      const fresh = new Set(postIds.filter((id) => !known.has(id)));
      if (fresh.size === 0) return false;
      const batch = waitingOf(appId, day);
      const before = batch.size;
      for (const id of fresh) {
        known.add(id);
        batch.add(id);
      }
      addToSize(appId, batch.size - before);
      return true;
    },
    size: (appId) => sizes.get(appId) ?? 0,
    take: () => {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    written: ({ appId, postIds }) => addToSize(appId, -postIds.size),
    putBack: ({ appId, day, postIds }) => {
      const batch = waitingOf(appId, day);
      const before = batch.size;
      for (const id of postIds) batch.add(id);
      // Some may have been added again meanwhile.
      addToSize(appId, batch.size - before - postIds.size);
    },
  };
}
