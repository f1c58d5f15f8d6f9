import { flag, id } from '../../core/json-schema.js';
import type { ListId } from '../../core/ids.js';
import { byDefault, required, type Fields } from './field.js';

/** What a viewer did with a List. */
export interface ListState {
  readonly id: ListId;
  readonly isFollowed: boolean;
  readonly isPinned: boolean;
  /** Only of the viewer's own Lists, if a user is named. */
  readonly hasMember?: boolean;
}

/** The state of a List for its viewer (docs/api/pipit.md#states-of-lists). */
export const listStateFields = {
  id: required(id, (state) => String(state.id)),
  following: required(flag, ({ isFollowed }) => isFollowed),
  pinned: required(flag, ({ isPinned }) => isPinned),
  has_member: byDefault(flag, ({ hasMember }) => hasMember),
} satisfies Fields<ListState>;
