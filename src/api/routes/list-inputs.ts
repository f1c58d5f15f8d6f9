import type { ListId, UserId } from '../../core/ids.js';
import { MAX_LIST_DESCRIPTION, MAX_LIST_NAME } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { jsonBody } from '../body/body.js';
import { idField } from '../body/id-field.js';
import { idParam, inPath } from '../params/params.js';

/** The parameters and bodies of Lists (docs/api/lists.md). */

/** The List in a path. */
export const listInPath = { id: inPath(idParam<ListId>('The List.')) };

/** The List at the end of a user's path. */
export const listOfUserInPath = { list_id: inPath(idParam<ListId>('The List.')) };

export const listPage = { min: 1, max: 100, default: 100 } as const;

const settings = {
  name: v.text({ min: 1, max: MAX_LIST_NAME, pattern: /\S/, example: 'Birds of the pond' }),
  description: v.text({ max: MAX_LIST_DESCRIPTION }),
  private: v.boolean('Whether only its owner can see the List.'),
};

/** The body that creates a List. */
export const newListBody = jsonBody(v.object({ ...settings, name: v.required(settings.name) }));

/** The body that changes a List; absent members stay unchanged. */
export const listChangesBody = jsonBody(v.object(settings));

/** The body of a follow or a pin: `{"list_id":"1"}`. */
export const listBody = jsonBody(v.object({ list_id: v.required(idField<ListId>('The List.')) }));

/** The body of a membership: `{"user_id":"2"}`. */
export const memberBody = jsonBody(v.object({ user_id: v.required(idField<UserId>('The user to add.')) }));
