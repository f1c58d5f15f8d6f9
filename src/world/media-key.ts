import { MAX_ID } from '../core/ids.js';
import { mediaIdOfKey } from '../core/post.js';
import * as v from '../core/validators.js';

const keyText = v.matching(/^[0-9]{1,2}_[1-9][0-9]{0,18}$/, { description: 'a media key as 3_12' });

/** A media key whose digits after `_` are an id (docs/world-files.md#keys). */
export const mediaKey = v.refined(keyText, (key, path, faults) => {
  if (mediaIdOfKey(key) <= MAX_ID) return key;
  faults.add(path, 'must have an id of at most 64 bits after the _');
  return undefined;
});
