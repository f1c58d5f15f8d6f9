import { parseId } from '../core/ids.js';
import * as v from '../core/validators.js';

/** An entry with its place in the file, for faults that are found later. */
export type Located<T> = T & { readonly path: string };

/** Reads a decimal id without leading zeros, within 64 bits. */
export function idOf<T extends bigint>(): v.Validator<T> {
  const schema = { type: 'string', pattern: '^[1-9][0-9]{0,18}$', description: 'an id: 1 to 19 digits' };
  return v.leaf(schema, { kind: 'id' }, (value) =>
    typeof value === 'string' && !value.startsWith('0') ? parseId<T>(value) : undefined,
  );
}

/** Reads a section of the file. Omits faulty entries, so that the others are checked. */
export function listOf<T>(item: v.Validator<T>): v.Validator<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    check: (value, path, faults) =>
      Array.isArray(value)
        ? v.checkItems(item, value, path, faults)
        : faults.report(path, { kind: 'type', expected: 'array' }, value),
  };
}

/** Reads an array within an entry; undefined if any part has a fault. */
export function valuesOf<T>(
  item: v.Validator<T>,
  { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {},
): v.Validator<readonly T[]> {
  const list = listOf(item);
  const bounds = { ...(min > 0 && { minItems: min }), ...(max !== Infinity && { maxItems: max }) };
  return {
    schema: { ...list.schema, ...bounds },
    check: (value, path, faults) => {
      const values = list.check(value, path, faults);
      if (!values || !Array.isArray(value)) return undefined;
      const count = value.length;
      if (count < min || count > max) return faults.report(path, { kind: 'items', min, max, count }, value);
      return values.length === count ? values : undefined;
    },
  };
}

/** Reads an object with these keys and no others; undefined if any part has a fault. */
export function objectOf<M extends v.Members>(members: M): v.Validator<Located<v.ValuesOf<M>>> {
  return v.refined(v.object(members), (value, path) => ({ ...value, path }));
}
