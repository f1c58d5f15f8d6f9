import { viewPost, viewPosts, type ViewDeps } from './post-page.js';
import { viewUser, viewUsers } from './user-page.js';

/** What endpoints show, each with its data loaded, filtered by the rules and in the shape of the wire. */
export function createViews(deps: ViewDeps) {
  return {
    post: viewPost.bind(undefined, deps),
    posts: viewPosts.bind(undefined, deps),
    user: viewUser.bind(undefined, deps),
    users: viewUsers.bind(undefined, deps),
  };
}

export type Views = ReturnType<typeof createViews>;
