import type { ListId, UserId } from '../../core/ids.js';
import { MAX_LIST_DESCRIPTION, MAX_LIST_NAME } from '../../core/limits.js';
import { jsonBody } from '../body/body.js';
import { objectField } from '../body/containers.js';
import { booleanField, idField, requiredField, textField } from '../body/fields.js';
import { inPath } from '../params/param.js';
import { idParam } from '../params/values.js';

/** What Lists are named by and made of (docs/api/lists.md; docs/api/lists.md). */

/** The List that a path is about. */
export const listInPath = { id: inPath(idParam<ListId>('The List.')) };

/** A List at the end of a user's path. */
export const listOfUserInPath = { list_id: inPath(idParam<ListId>('The List.')) };

export const listPage = { min: 1, max: 100, default: 100 } as const;

const settings = {
  name: textField({ min: 1, max: MAX_LIST_NAME, pattern: /\S/, example: 'Birds of the pond' }),
  description: textField({ max: MAX_LIST_DESCRIPTION }),
  private: booleanField('Whether its owner alone can see the List.'),
};

/** The body that makes a List. */
export const newListBody = jsonBody(objectField({ ...settings, name: requiredField(settings.name) }));

/** The body that changes one: what is not sent stays. */
export const listChangesBody = jsonBody(objectField(settings));

/** The body of a follow or a pin: `{"list_id":"1"}`. */
export const listBody = jsonBody(objectField({ list_id: requiredField(idField<ListId>('The List.')) }));

/** The body of a membership: `{"user_id":"2"}`. */
export const memberBody = jsonBody(
  objectField({ user_id: requiredField(idField<UserId>('The user to add.')) }),
);
