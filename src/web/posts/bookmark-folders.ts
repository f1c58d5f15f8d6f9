import { PipitError } from '../../core/errors.js';
import type { WebApi } from '../api/web-api.js';

/** A folder of bookmarks. */
export interface BookmarkFolder {
  readonly id: string;
  readonly name: string;
}

/** The most folders that pages offer, the newest. */
const MAX_SHOWN = 100;

/** Returns the folders of the user's bookmarks, newest first. */
export async function listFolders(api: WebApi, userId: string): Promise<readonly BookmarkFolder[]> {
  const { data = [] } = await api.call<BookmarkFolder[]>('getUsersBookmarkFolders', {
    id: userId,
    max_results: MAX_SHOWN,
  });
  return data;
}

/** Returns a folder of the user. Throws 'resource-not-found' if the user does not have it. */
export async function getFolder(api: WebApi, id: string): Promise<BookmarkFolder> {
  const { data } = await api.call<BookmarkFolder>('getBookmarkFolder', { id });
  if (!data) throw new PipitError({ code: 'internal' });
  return data;
}
