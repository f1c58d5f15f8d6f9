import type { UserId } from '../../core/ids.js';
import { jsonBody } from '../body/body.js';
import { objectField } from '../body/containers.js';
import { idField, requiredField } from '../body/fields.js';
import { inPath } from '../params/param.js';
import { idParam } from '../params/values.js';

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
  objectField({ target_user_id: requiredField(idField<UserId>('The user with whom the relation begins.')) }),
);
