import type { UserId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { jsonBody } from '../body/body.js';
import { idField } from '../body/id-field.js';
import { idParam, inPath } from '../params/params.js';

/** What follows, blocks and mutes are named by (docs/api/people.md#follows-blocks-and-mutes). */

/** Whose relations a path is about. */
export const userPathParams = { id: inPath(idParam<UserId>('The user.')) };

/** Lists of relations are paged alike (docs/api/people.md#follows-blocks-and-mutes). */
export const relationPage = { min: 1, max: 1000, default: 100 } as const;

/** The path of a relation that ends. */
export const pairPathParams = {
  source_user_id: inPath(idParam<UserId>('The user.')),
  target_user_id: inPath(idParam<UserId>('The user with whom the relation ends.')),
};

/** The body of a relation that begins: `{"target_user_id":"2"}`. */
export const targetUserBody = jsonBody(
  v.object({ target_user_id: v.required(idField<UserId>('The user with whom the relation begins.')) }),
);
