import type { PostId } from '../../core/ids.js';
import { userRead } from '../access.js';
import type { AnyEndpoint } from '../endpoint.js';
import { perQuarterHour } from '../rates.js';
import { actionPair, postTarget } from './action-pair.js';
import { ofCaller, ownedPage, posts } from './owned-page.js';

/** See docs/api/timelines.md#likes-and-bookmarks. */

const tag = 'Bookmarks';

export const bookmarkEndpoints: readonly AnyEndpoint[] = [
  ownedPage(ofCaller, posts, {
    operationId: 'getUsersIdBookmarks',
    tag,
    summary: 'The 800 newest bookmarks of the user',
    path: '/2/users/{id}/bookmarks',
    access: { ...userRead('bookmark.read'), ownId: 'id' },
    rateLimits: perQuarterHour({ user: 180 }),
    list: ({ bookmarks }, { params }, page) => bookmarks.list(params.id, page),
  }),
  ...actionPair<PostId>(postTarget, {
    tag,
    scope: 'bookmark.write',
    flag: 'bookmarked',
    rateLimits: perQuarterHour({ user: 50 }),
    does: {
      operationId: 'postUsersIdBookmarks',
      summary: 'Bookmarks a post',
      path: '/2/users/{id}/bookmarks',
      run: ({ bookmarks }, principal, id) => bookmarks.add(principal, id),
    },
    undoes: {
      operationId: 'usersIdBookmarksDelete',
      summary: 'Removes a bookmark; idempotent',
      path: '/2/users/{id}/bookmarks/{tweet_id}',
      run: ({ bookmarks }, principal, id) => bookmarks.remove(principal, id),
    },
  }),
];
