import type { PostId } from '../../core/ids.js';
import type { Page } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { RowCache } from '../../database/row-cache.js';
import type { TimelineRequest } from './walk-timeline.js';

/** Some 2 KiB each. */
const MAX_PAGES = 2048;

/** The newest pages of timelines: what is asked for again and again to see whether there is anything new. */
export interface NewestPages {
  /** The page, kept until anything changes on which it may depend; read by `walk` when it is no newest page. */
  read(key: string, request: TimelineRequest, walk: () => Promise<Page<PostId>>): Promise<Page<PostId>>;
}

/** `tables` are all that the pages depend on. */
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
