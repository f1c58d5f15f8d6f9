import type { PostId } from '../../core/ids.js';
import { userRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { idParam, inPath } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { postBody, userInPath } from './post-actions.js';

/** See docs/api/timelines.md#likes-and-bookmarks. */

const tag = 'Bookmarks';
const writeAccess = { ...userWrite('bookmark.write'), ownId: 'id' } as const;
const writeLimits = perQuarterHour({ user: 50 });
const bookmarked = dataSchema({ bookmarked: { type: 'boolean' } });

export const getBookmarks = pagedEndpoint({
  operationId: 'getUsersIdBookmarks',
  tag,
  summary: 'The 800 newest bookmarks of the user',
  path: '/2/users/{id}/bookmarks',
  access: { ...userRead('bookmark.read'), ownId: 'id' },
  rateLimits: perQuarterHour({ user: 180 }),
  params: { ...userInPath, ...postFieldParams },
  page: { min: 1, max: 100, default: 100 },
  component: 'Tweet',
  list: ({ bookmarks }, { params }, page) => bookmarks.list(params.id, page),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});

export const bookmarkPost = endpoint({
  operationId: 'postUsersIdBookmarks',
  tag,
  summary: 'Bookmarks a post',
  method: 'POST',
  path: '/2/users/{id}/bookmarks',
  access: writeAccess,
  rateLimits: writeLimits,
  params: userInPath,
  body: postBody,
  response: bookmarked,
  handler: async ({ bookmarks }, { principal, body }) => {
    await bookmarks.add(principal, body.tweet_id);
    return { data: { bookmarked: true } };
  },
});

export const removeBookmark = endpoint({
  operationId: 'usersIdBookmarksDelete',
  tag,
  summary: 'Removes a bookmark; idempotent',
  method: 'DELETE',
  path: '/2/users/{id}/bookmarks/{tweet_id}',
  access: writeAccess,
  rateLimits: writeLimits,
  params: { ...userInPath, tweet_id: inPath(idParam<PostId>('The post.')) },
  response: bookmarked,
  handler: async ({ bookmarks }, { principal, params }) => {
    await bookmarks.remove(principal, params.tweet_id);
    return { data: { bookmarked: false } };
  },
});
