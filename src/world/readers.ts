import { parseId } from '../core/ids.js';
import { nearest } from '../core/nearest.js';
import { parseTimestamp } from '../core/timestamp.js';
import { countCodePoints, isUnicodeText } from '../core/unicode.js';
import type { WorldFaults } from './faults.js';

/** A JSON Schema (draft 07). */
export type Schema = Readonly<Record<string, unknown>>;

/** Reads one JSON value; reports what is wrong with it under `path`, and then returns undefined. */
export interface Reader<T> {
  (value: unknown, path: string, faults: WorldFaults): T | undefined;
  /** What the reader takes, for editors: docs/world-file.schema.json is made of it. */
  readonly schema: Schema;
}

/** Makes a reader of a function and the schema of what it takes. */
export function reader<T>(
  schema: Schema,
  read: (value: unknown, path: string, faults: WorldFaults) => T | undefined,
): Reader<T> {
  return Object.assign(read, { schema });
}

/** One key of an object. `T` includes undefined unless the key is required. */
export interface Field<T> {
  readonly required: boolean;
  readonly read: Reader<T>;
}

export type Shape = Readonly<Record<string, Field<unknown>>>;

export type ShapeValues<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
};

/** An entry of the file together with where it stands, for faults that are found later. */
export type Located<T> = T & { readonly path: string };

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_ECHO_CHARACTERS = 60;

export function required<T>(read: Reader<T>): Field<T> {
  return { required: true, read };
}

export function optional<T>(read: Reader<T>): Field<T | undefined> {
  return { required: false, read };
}

/** The path of an object's member. */
export function memberPath(path: string, key: string): string {
  return IDENTIFIER.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** A value as a reason may repeat it. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= MAX_ECHO_CHARACTERS
    ? text
    : `${Array.from(text).slice(0, MAX_ECHO_CHARACTERS).join('')}…`;
}

/** A string of `min` to `max` code points. */
export function textOf(min: number, max: number): Reader<string> {
  const schema = { type: 'string', minLength: min, ...(max !== Infinity && { maxLength: max }) };
  return reader(schema, (value, path, faults) => {
    if (typeof value !== 'string') {
      faults.add(path, `must be a string, not ${quote(value)}`);
      return undefined;
    }
    if (!isUnicodeText(value)) {
      faults.add(path, `must be a string without U+0000 and half characters, not ${quote(value)}`);
      return undefined;
    }
    const length = countCodePoints(value);
    if (length >= min && length <= max) return value;
    faults.add(path, `must have ${min} to ${max} characters; it has ${length}`);
    return undefined;
  });
}

/** A string that matches a pattern, which `description` puts in words. */
export function matching(pattern: RegExp, description: string): Reader<string> {
  return reader({ type: 'string', pattern: pattern.source, description }, (value, path, faults) => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    faults.add(path, `must be ${description}, not ${quote(value)}`);
    return undefined;
  });
}

/** A decimal id in its only spelling: no leading zeros, within 64 bits. */
export function idOf<T extends bigint>(): Reader<T> {
  const schema = { type: 'string', pattern: '^[1-9][0-9]{0,18}$', description: 'an id: 1 to 19 digits' };
  return reader(schema, (value, path, faults) => {
    const id = typeof value === 'string' && !value.startsWith('0') ? parseId<T>(value) : undefined;
    if (id === undefined) faults.add(path, `must be an id: a string of 1 to 19 digits, not ${quote(value)}`);
    return id;
  });
}

export const bool: Reader<boolean> = reader({ type: 'boolean' }, (value, path, faults) => {
  if (typeof value === 'boolean') return value;
  faults.add(path, `must be true or false, not ${quote(value)}`);
  return undefined;
});

export function numberFrom(min: number, max: number): Reader<number> {
  return reader({ type: 'number', minimum: min, maximum: max }, (value, path, faults) => {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    faults.add(path, `must be a number from ${min} to ${max}, not ${quote(value)}`);
    return undefined;
  });
}

export function integerFrom(min: number, max: number): Reader<number> {
  return reader({ type: 'integer', minimum: min, maximum: max }, (value, path, faults) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    faults.add(path, `must be a whole number from ${min} to ${max}, not ${quote(value)}`);
    return undefined;
  });
}

export function oneOf<const T extends string>(values: readonly T[]): Reader<T> {
  return reader({ enum: values }, (value, path, faults) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) faults.add(path, `must be one of ${values.join(', ')}, not ${quote(value)}`);
    return found;
  });
}

const TIME_SCHEMA = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$',
  description: 'a time as 2022-02-01T00:00:00Z',
};

/** A time, in milliseconds since the Unix epoch. */
export const timestamp: Reader<number> = reader(TIME_SCHEMA, (value, path, faults) => {
  const timeMs = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (timeMs === undefined)
    faults.add(path, `must be a time as YYYY-MM-DDTHH:mm:ss[.sss]Z, not ${quote(value)}`);
  return timeMs;
});

/** A section of the file; entries with faults are left out, so that the others are checked. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return reader({ type: 'array', items: read.schema }, (value, path, faults) => {
    if (!Array.isArray(value)) {
      faults.add(path, `must be an array, not ${quote(value)}`);
      return undefined;
    }
    const entries: T[] = [];
    for (const [index, member] of value.entries()) {
      const entry = read(member, `${path}[${index}]`, faults);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  });
}

/** An array within an entry; undefined when any part of it has a fault. */
export function valuesOf<T>(read: Reader<T>, min = 0, max = Infinity): Reader<readonly T[]> {
  const readAll = listOf(read);
  const schema = {
    ...readAll.schema,
    ...(min > 0 && { minItems: min }),
    ...(max !== Infinity && { maxItems: max }),
  };
  return reader(schema, (value, path, faults) => {
    const values = readAll(value, path, faults);
    if (!values || !Array.isArray(value)) return undefined;
    if (value.length >= min && value.length <= max)
      return values.length === value.length ? values : undefined;
    const range = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
    faults.add(path, `must have ${range} entries; it has ${value.length}`);
    return undefined;
  });
}

/** An object with these keys and no others; undefined when any part of it has a fault. */
export function objectOf<S extends Shape>(shape: S): Reader<Located<ShapeValues<S>>> {
  return reader(schemaOf(shape), (value, path, faults) => {
    if (!isObject(value)) {
      faults.add(path, `must be an object, not ${quote(value)}`);
      return undefined;
    }
    refuseUnknownKeys(value, Object.keys(shape), path, faults);
    const result: Record<string, unknown> = { path };
    let whole = true;
    for (const [key, field] of Object.entries(shape)) {
      if (Object.hasOwn(value, key)) {
        result[key] = field.read(value[key], memberPath(path, key), faults);
        whole &&= result[key] !== undefined;
      } else if (field.required) {
        faults.add(memberPath(path, key), 'is missing');
        whole = false;
      }
    }
    return whole ? (result as Located<ShapeValues<S>>) : undefined;
  });
}

function schemaOf(shape: Shape): Schema {
  const fields = Object.entries(shape);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([key, { read }]) => [key, read.schema])),
    required: fields.filter(([, field]) => field.required).map(([key]) => key),
    additionalProperties: false,
  };
}

/** Reports keys that nothing reads: a typing error must not lose what was declared. */
export function refuseUnknownKeys(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  faults: WorldFaults,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
    faults.add(memberPath(path, key), `is no known key; ${hint}`);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
