import type { PostId, UserId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { jsonBody } from '../body/body.js';
import { idField } from '../body/id-field.js';
import { idParam, inPath } from '../params/params.js';

/**
 * Inputs of likes, reposts and bookmarks (docs/api/timelines.md#likes-and-bookmarks,
 * docs/api/posts.md#replies-quotes-and-reposts).
 */

/** The user who acts or owns the list. */
export const userInPath = { id: inPath(idParam<UserId>('The user.')) };

/** The post that owns the list. */
export const postInPath = { id: inPath(idParam<PostId>('The post.')) };

/** The body of an action: `{"tweet_id":"1"}`. */
export const postBody = jsonBody(v.object({ tweet_id: v.required(idField<PostId>('The post.')) }));
