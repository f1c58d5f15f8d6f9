import type { UserId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { jsonBody } from '../body/body.js';
import { idField } from '../body/id-field.js';
import { idParam, inPath } from '../params/params.js';

/** Inputs of follows, blocks and mutes (docs/api/people.md#follows-blocks-and-mutes). */

/** The user whose relations a path lists. */
export const userPathParams = { id: inPath(idParam<UserId>('The user.')) };

/** The page sizes of all relation lists (docs/api/people.md#follows-blocks-and-mutes). */
export const relationPage = { min: 1, max: 1000, default: 100 } as const;

/** The path of a relation to delete. */
export const pairPathParams = {
  source_user_id: inPath(idParam<UserId>('The user.')),
  target_user_id: inPath(idParam<UserId>('The other user of the deleted relation.')),
};

/** The body of a relation to create: `{"target_user_id":"2"}`. */
export const targetUserBody = jsonBody(
  v.object({ target_user_id: v.required(idField<UserId>('The other user of the created relation.')) }),
);
