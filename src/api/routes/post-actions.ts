import type { PostId, UserId } from '../../core/ids.js';
import { jsonBody } from '../body/body.js';
import { objectField } from '../body/containers.js';
import { idField, requiredField } from '../body/fields.js';
import { inPath } from '../params/param.js';
import { idParam } from '../params/values.js';

/** What likes, reposts and bookmarks are named by (specification 4.1, 4.3 and 4.6). */

/** The user who acts, or whose list it is. */
export const userInPath = { id: inPath(idParam<UserId>('The user.')) };

/** The post that a list belongs to. */
export const postInPath = { id: inPath(idParam<PostId>('The post.')) };

/** The body of an action: `{"tweet_id":"1"}`. */
export const postBody = jsonBody(objectField({ tweet_id: requiredField(idField<PostId>('The post.')) }));
