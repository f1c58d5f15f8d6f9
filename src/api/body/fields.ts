import { parseId } from '../../core/ids.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { countCodePoints, isUnicodeText } from '../../core/unicode.js';
import type { BodyFaults } from './body-faults.js';
import { isLongInteger, longIntegerDigits } from '../../http/json.js';

/** One value in a JSON body. `T` includes undefined unless the field is required or has a default. */
export interface BodyField<T> {
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** The value when the field is not sent. */
  readonly absent: T;
  /** Checks a value that is there; reports what is wrong with it under `path`, and then returns `absent`. */
  check(value: unknown, path: string, faults: BodyFaults): T;
}

export type BodyFields = Readonly<Record<string, BodyField<unknown>>>;

/** What a handler gets for an object: members that are not required may be undefined. */
export type BodyFieldValues<F extends BodyFields> = {
  readonly [K in keyof F]: F[K] extends BodyField<infer T> ? T : never;
};

/** The pattern that messages name for ids (docs/api/requests.md#parameters). */
const ID_PATTERN = '^[0-9]{1,19}$';

/** The same field, refused when it is missing. */
export function requiredField<T>(field: BodyField<T>): BodyField<Exclude<T, undefined>> {
  return { ...field, required: true } as BodyField<Exclude<T, undefined>>;
}

/** An id: a decimal string or a JSON integer (docs/api/requests.md#ids). */
export function idField<T extends bigint>(description?: string): BodyField<T | undefined> {
  return {
    required: false,
    schema: { type: 'string', pattern: ID_PATTERN, example: '1346889436626259968', description },
    absent: undefined,
    check: (value, path, faults) => {
      const digits = idDigits(value);
      if (digits === undefined) {
        faults.addType(path, value, 'string');
        return undefined;
      }
      const id = parseId<T>(digits);
      if (id === undefined) faults.add(path, `does not match the regex pattern ${ID_PATTERN}`, value);
      return id;
    },
  };
}

function idDigits(value: unknown): string | undefined {
  if (isLongInteger(value)) return longIntegerDigits(value);
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? String(value) : undefined;
}

export interface TextRules {
  /** Lengths count code points. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  readonly description?: string;
  readonly example?: string;
}

/** A string without NUL and without broken surrogates. */
export function textField(rules: TextRules = {}): BodyField<string | undefined> {
  const { min = 0, max = Infinity, pattern, description, example } = rules;
  return {
    required: false,
    schema: {
      type: 'string',
      minLength: rules.min,
      maxLength: rules.max,
      pattern: pattern?.source,
      description,
      example,
    },
    absent: undefined,
    check: (value, path, faults) => {
      if (typeof value !== 'string' || isLongInteger(value)) {
        faults.addType(path, value, 'string');
        return undefined;
      }
      const fault = textFault(value, min, max, pattern);
      if (fault === undefined) return value;
      faults.add(path, fault, value);
      return undefined;
    },
  };
}

function textFault(value: string, min: number, max: number, pattern?: RegExp): string | undefined {
  if (!isUnicodeText(value)) return 'is not valid Unicode text';
  if (value.length > max && countCodePoints(value) > max) return `may only be ${max} characters long`;
  if (min > 0 && countCodePoints(value) < min) return `must be at least ${min} characters long`;
  if (pattern && !pattern.test(value)) return `does not match the regex pattern ${pattern.source}`;
  return undefined;
}

/** An integer between `min` and `max`. */
export function integerField(rules: {
  readonly min: number;
  readonly max: number;
  readonly description?: string;
}): BodyField<number | undefined> {
  const { min, max, description } = rules;
  return {
    required: false,
    schema: { type: 'integer', minimum: min, maximum: max, description },
    absent: undefined,
    check: (value, path, faults) => {
      const number = isLongInteger(value) ? Number(longIntegerDigits(value)) : value;
      if (typeof number !== 'number' || !Number.isInteger(number)) {
        faults.addType(path, value, 'integer');
        return undefined;
      }
      if (number < min) faults.add(path, `must have a minimum value of ${min}`, value);
      else if (number > max) faults.add(path, `must have a maximum value of ${max}`, value);
      else return number;
      return undefined;
    },
  };
}

/** True or false. */
export function booleanField(description?: string): BodyField<boolean | undefined> {
  return {
    required: false,
    schema: { type: 'boolean', description },
    absent: undefined,
    check: (value, path, faults) => {
      if (typeof value === 'boolean') return value;
      faults.addType(path, value, 'boolean');
      return undefined;
    },
  };
}

/** One of a closed set of strings. */
export function enumField<const V extends string>(
  values: readonly V[],
  description?: string,
): BodyField<V | undefined> {
  return {
    required: false,
    schema: { type: 'string', enum: values, description },
    absent: undefined,
    check: (value, path, faults) => {
      const known = values.find((candidate) => candidate === value);
      if (known !== undefined) return known;
      if (typeof value !== 'string' || isLongInteger(value)) faults.addType(path, value, 'string');
      else faults.add(path, `does not have a value in the enumeration [${values.join(', ')}]`, value);
      return undefined;
    },
  };
}
