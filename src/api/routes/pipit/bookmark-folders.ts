import type { BookmarkFolderId } from '../../../core/ids.js';
import { fullObject, ref } from '../../../core/json-schema.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { idParam, inPath } from '../../params/params.js';
import { folderBody } from '../bookmarks.js';

/** See docs/api/pipit.md#folders-of-bookmarks. */

const common = {
  tag: 'Pipit',
  path: '/_pipit/bookmark_folders/{id}',
  params: { id: inPath(idParam<BookmarkFolderId>('The folder.')) },
  rateLimits: perQuarterHour({ user: 50 }),
} as const;

const response = fullObject({ data: ref('BookmarkFolder') });

const shown = ({ id, name }: { readonly id: BookmarkFolderId; readonly name: string }) => ({
  data: { id: String(id), name },
});

export const bookmarkFolderEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'getBookmarkFolder',
    summary: 'A folder of bookmarks of the user',
    access: userRead('bookmark.read'),
    rateLimits: perQuarterHour({ user: 180 }),
    response,
    handler: async ({ bookmarks }, { principal, params }) =>
      shown(await bookmarks.getFolder(principal, params.id)),
  }),
  endpoint({
    ...common,
    operationId: 'renameBookmarkFolder',
    summary: 'Renames a folder of bookmarks of the user',
    method: 'PUT',
    access: userWrite('bookmark.write'),
    body: folderBody,
    response,
    handler: async ({ bookmarks }, { principal, params, body }) =>
      shown(await bookmarks.renameFolder(principal, params.id, body.name)),
  }),
  changeEndpoint({
    ...common,
    operationId: 'deleteBookmarkFolder',
    summary: 'Deletes a folder of bookmarks of the user, whose posts stay bookmarked; idempotent',
    method: 'DELETE',
    access: userWrite('bookmark.write'),
    answers: { deleted: true },
    run: ({ bookmarks }, { principal, params }) => bookmarks.deleteFolder(principal, params.id),
  }),
];
