import { MAX_FOLDER_NAME } from '../../core/limits.js';
import type { BookmarkFolderId, PostId } from '../../core/ids.js';
import { id, text } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { idField, jsonBody } from '../body/body.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { ofCaller, ownedPage, posts, userInPath } from './owned-page.js';

/** See docs/api/timelines.md#likes-and-bookmarks. */

const tag = 'Bookmarks';
const read = { tag, access: { ...userRead('bookmark.read'), ownId: 'id' } } as const;
const write = { tag, access: { ...userWrite('bookmark.write'), ownId: 'id' } } as const;
const ofFolders = { rateLimits: perQuarterHour({ user: 50 }) };
const page = { min: 1, max: 100, default: 100 } as const;

/** What a client says of a folder. */
export const folderBody = jsonBody(
  v.object({
    name: v.required(v.text({ min: 1, max: MAX_FOLDER_NAME, pattern: /\S/, example: 'Herons' })),
  }),
);

const bookmarks: readonly AnyEndpoint[] = [
  ownedPage(ofCaller, posts, {
    ...read,
    operationId: 'getUsersIdBookmarks',
    summary: 'The 800 newest bookmarks of the user',
    path: '/2/users/{id}/bookmarks',
    rateLimits: perQuarterHour({ user: 180 }),
    list: (context, { params }, request) => context.bookmarks.list(params.id, request),
  }),
  changeEndpoint({
    ...write,
    operationId: 'postUsersIdBookmarks',
    summary: 'Bookmarks a post, and puts it into a folder of the user',
    method: 'POST',
    path: '/2/users/{id}/bookmarks',
    rateLimits: perQuarterHour({ user: 50 }),
    params: userInPath,
    body: jsonBody(
      v.object({
        tweet_id: v.required(idField<PostId>('The post.')),
        folder_id: idField<BookmarkFolderId>('A folder of the user.'),
      }),
    ),
    answers: { bookmarked: true },
    run: (context, { principal, body }) => context.bookmarks.add(principal, body.tweet_id, body.folder_id),
  }),
  changeEndpoint({
    ...write,
    operationId: 'usersIdBookmarksDelete',
    summary: 'Removes a bookmark, also from all folders; idempotent',
    method: 'DELETE',
    path: '/2/users/{id}/bookmarks/{tweet_id}',
    rateLimits: perQuarterHour({ user: 50 }),
    params: { ...userInPath, tweet_id: inPath(idParam<PostId>('The post.')) },
    answers: { bookmarked: false },
    run: (context, { principal, params }) => context.bookmarks.remove(principal, params.tweet_id),
  }),
];

const folders: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...read,
    ...ofFolders,
    operationId: 'getUsersBookmarkFolders',
    summary: 'The folders of bookmarks of the user, newest first',
    path: '/2/users/{id}/bookmarks/folders',
    params: userInPath,
    page,
    component: 'BookmarkFolder',
    list: (context, { params }, request) => context.bookmarks.listFolders(params.id, request),
    show: async (_context, _call, found) =>
      found.length > 0
        ? { data: found.map(({ id: folderId, name }) => ({ id: String(folderId), name })) }
        : {},
  }),
  endpoint({
    ...write,
    ...ofFolders,
    operationId: 'createUsersBookmarkFolder',
    summary: 'Creates a folder of bookmarks',
    method: 'POST',
    path: '/2/users/{id}/bookmarks/folders',
    params: userInPath,
    body: folderBody,
    success: 201,
    response: dataSchema({ id, name: text }),
    handler: async (context, { principal, body }) => {
      const folder = await context.bookmarks.createFolder(principal, body.name);
      return { data: { id: String(folder.id), name: folder.name } };
    },
  }),
  pagedEndpoint({
    ...read,
    ...ofFolders,
    operationId: 'getUsersBookmarksByFolderId',
    summary: 'The ids of the posts in a folder of bookmarks, the last added first',
    path: '/2/users/{id}/bookmarks/folders/{folder_id}',
    params: { ...userInPath, folder_id: inPath(idParam<BookmarkFolderId>('The folder.')) },
    page,
    component: 'BookmarkedPost',
    list: (context, { params }, request) =>
      context.bookmarks.listFolder(params.id, params.folder_id, request),
    show: async ({ views }, { principal }, ids) => {
      const { data } = await views.posts({ ids, ...viewOf({ principal, params: {} }) });
      return data ? { data: data.map((post) => ({ id: post.id })) } : {};
    },
  }),
];

/** Bookmarks and their folders. */
export const bookmarkEndpoints: readonly AnyEndpoint[] = [...bookmarks, ...folders];
