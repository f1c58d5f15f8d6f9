import type { Clock } from '../core/clock.js';
import type { Engine } from '../storage/engine.js';
import { createViewReads } from './hydrate/reads.js';
import { viewPost, viewPosts } from './post-page.js';
import { viewUser, viewUsers } from './user-page.js';

/** What endpoints show, each with its data loaded, filtered by the rules and in the shape of the wire. */
export function createViews({ engine, clock }: { readonly engine: Engine; readonly clock: Clock }) {
  const deps = { reads: createViewReads(engine), clock };
  return {
    post: viewPost.bind(undefined, deps),
    posts: viewPosts.bind(undefined, deps),
    user: viewUser.bind(undefined, deps),
    users: viewUsers.bind(undefined, deps),
  };
}

export type Views = ReturnType<typeof createViews>;
