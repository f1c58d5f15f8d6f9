import { flag, id, schemaOf } from '../../core/json-schema.js';
import type { BookmarkFolderId, PostId } from '../../core/ids.js';
import { byDefault, required, type Fields } from './field.js';

/** What a viewer did with a post. */
export interface PostState {
  readonly id: PostId;
  readonly isLiked: boolean;
  readonly isReposted: boolean;
  readonly isBookmarked: boolean;
  readonly bookmarkFolderId?: BookmarkFolderId;
  /** Counted from 1. */
  readonly chosenOption?: number;
}

/** The state of a post for its viewer (docs/api/pipit.md#states-of-posts). */
export const postStateFields = {
  id: required(id, (state) => String(state.id)),
  liked: required(flag, ({ isLiked }) => isLiked),
  reposted: required(flag, ({ isReposted }) => isReposted),
  bookmarked: required(flag, ({ isBookmarked }) => isBookmarked),
  bookmark_folder_id: byDefault(id, ({ bookmarkFolderId: folder }) =>
    folder === undefined ? undefined : String(folder),
  ),
  chosen_option: byDefault(
    schemaOf('integer', { minimum: 1, maximum: 4 }),
    ({ chosenOption }) => chosenOption,
  ),
} satisfies Fields<PostState>;
