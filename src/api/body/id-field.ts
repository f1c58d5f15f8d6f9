import { parseId } from '../../core/ids.js';
import { id } from '../../core/json-schema.js';
import { leaf, type Validator } from '../../core/validators.js';
import { isLongInteger, longIntegerDigits } from '../../http/json.js';

/** Reads an id in a JSON body: a decimal string or a JSON integer (docs/api/requests.md#ids). */
export function idField<T extends bigint>(description?: string): Validator<T> {
  return leaf({ ...id, description }, { kind: 'id' }, (value) => parseId<T>(digitsOf(value)));
}

/** Returns a text that is not an id for values of other types. */
function digitsOf(value: unknown): string {
  if (isLongInteger(value)) return longIntegerDigits(value);
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : '';
}
