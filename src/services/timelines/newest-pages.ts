import type { PostId } from '../../core/ids.js';
import type { Page } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { RowCache } from '../../database/row-cache.js';
import type { TimelineRequest } from './walk-timeline.js';

/** About 2 KiB each. */
const MAX_PAGES = 2048;

/** Caches the newest pages of timelines, which clients poll. */
export interface NewestPages {
  /** Returns the cached page until one of the tables changes. Calls `walk` for other pages. */
  read(key: string, request: TimelineRequest, walk: () => Promise<Page<PostId>>): Promise<Page<PostId>>;
}

/** Creates the cache. `tables` are all tables that the pages depend on. */
export function createNewestPages(engine: Engine, tables: readonly string[]): NewestPages {
  const pages = new RowCache<string, Page<PostId>>(engine, tables, MAX_PAGES);
  return {
    read: async (key, request, walk) => {
      if (!isNewest(request)) return walk();
      return (await pages.read(`${key} ${request.page.limit}`, walk)) ?? walk();
    },
  };
}

function isNewest({ page, bounds }: TimelineRequest): boolean {
  return page.cursor === undefined && Object.values(bounds).every((bound) => bound === undefined);
}
