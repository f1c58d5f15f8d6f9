import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

setFlagsFromString('--allow-natives-syntax');

/** Reports whether V8 keeps both objects in the same hidden class, and not as hash tables. */
export const shareFastClass = runInThisContext(
  '(one, other) => %HaveSameMap(one, other) && %HasFastProperties(one)',
) as (one: object, other: object) => boolean;
