import type { JsonSchema } from './json-schema.js';
import { countCodePoints, isUnicodeText } from './unicode.js';

/** A violated rule with the data for its message. Each surface (bodies, parameters, world files) formats it. */
export type Fault =
  | { readonly kind: 'type'; readonly expected: 'string' | 'boolean' | 'array' | 'object' }
  | { readonly kind: 'not-text' | 'id' | 'time' | 'missing' }
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number }
  | {
      readonly kind: 'length' | 'items';
      readonly min: number;
      readonly max: number;
      readonly count: number;
    }
  | { readonly kind: 'pattern'; readonly pattern: RegExp; readonly description?: string }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'unknown'; readonly name: string; readonly known: readonly string[] };

/** Collects the faults of one document or request. */
export interface FaultSink {
  /** True if no more faults are collected. */
  readonly isFull: boolean;
  /** Adds a fault with a custom message. */
  add(path: string, message: string): void;
  /** Adds a fault of the value at `path`. Returns undefined, like the validator that reports it. */
  report(path: string, fault: Fault, value?: unknown): undefined;
}

/** Checks one value. */
export interface Validator<T, V = unknown> {
  /** The schema of valid values, for the OpenAPI document and for editors. */
  readonly schema: JsonSchema;
  /** Returns the checked value, or undefined after reporting a fault. */
  readonly check: (value: V, path: string, faults: FaultSink) => T | undefined;
}

type RequiredMember<T> = Validator<T> & { readonly isRequired: true };
export type Members = Readonly<Record<string, Validator<unknown> | RequiredMember<unknown>>>;

/** The type that a validator returns. */
export type ValueOf<V> = V extends Validator<infer T> ? T : never;

/** The types of an object's members; only optional ones may be undefined. */
export type ValuesOf<M extends Members> = {
  readonly [K in keyof M]: ValueOf<M[K]> | (M[K] extends { readonly isRequired: true } ? never : undefined);
};

/** Returns the same validator for a required member. */
export function required<T>(member: Validator<T>): RequiredMember<T> {
  return { ...member, isRequired: true };
}

/** Returns a schema with those of the keywords that have a value. */
function schemaOf(type: string, keywords: JsonSchema): JsonSchema {
  const given = Object.entries(keywords).filter(([, keyword]) => keyword !== undefined);
  return { type, ...Object.fromEntries(given) };
}

/** A validator of values without parts. `read` returns undefined for a value that breaks the rule. */
export function leaf<T, V = unknown>(
  schema: JsonSchema,
  fault: Fault,
  read: (value: V) => T | undefined,
): Validator<T, V> {
  return {
    schema,
    check: (value, path, faults) => {
      const checked = read(value);
      return checked === undefined ? faults.report(path, fault, value) : checked;
    },
  };
}

/** Adds a step to a validator. The step returns undefined after adding a fault. */
export function refined<T, U>(
  base: Validator<T>,
  refine: (value: T, path: string, faults: FaultSink) => U | undefined,
): Validator<U> {
  return {
    schema: base.schema,
    check: (value, path, faults) => {
      const checked = base.check(value, path, faults);
      return checked === undefined ? undefined : refine(checked, path, faults);
    },
  };
}

/** The description of a value in documents. */
interface About {
  readonly description?: string;
  readonly example?: string;
}

interface TextRules extends About {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

/** Validates Unicode text without NUL, of `min` to `max` code points. */
export function text({ pattern, ...rules }: TextRules = {}): Validator<string> {
  const { min = 0, max = Infinity, description, example } = rules;
  const bounds = { minLength: rules.min, maxLength: rules.max };
  return {
    schema: schemaOf('string', { ...bounds, pattern: pattern?.source, description, example }),
    check: (value, path, faults) => {
      if (typeof value !== 'string') return faults.report(path, { kind: 'type', expected: 'string' }, value);
      if (!isUnicodeText(value)) return faults.report(path, { kind: 'not-text' }, value);
      // A text has at least half as many code points as UTF-16 units.
      if (value.length > max || value.length < 2 * min) {
        const count = countCodePoints(value);
        if (count > max || count < min)
          return faults.report(path, { kind: 'length', min, max, count }, value);
      }
      if (pattern && !pattern.test(value)) return faults.report(path, { kind: 'pattern', pattern }, value);
      return value;
    },
  };
}

/** Validates a string by a pattern, which `description` puts in words. */
export function matching(pattern: RegExp, { description, example }: About = {}): Validator<string> {
  const schema = schemaOf('string', { pattern: pattern.source, example, description });
  return leaf(schema, { kind: 'pattern', pattern, description }, (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined,
  );
}

interface Range extends Pick<About, 'description'> {
  readonly min: number;
  readonly max: number;
}

export function integer({ min, max, description }: Range): Validator<number> {
  const schema = schemaOf('integer', { minimum: min, maximum: max, description });
  return leaf(schema, { kind: 'integer', min, max }, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
  );
}

/** Validates a number, with or without a fraction. */
export function number(min: number, max: number, description?: string): Validator<number> {
  const schema = schemaOf('number', { minimum: min, maximum: max, description });
  return leaf(schema, { kind: 'number', min, max }, (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined,
  );
}

export function boolean(description?: string): Validator<boolean> {
  return leaf(schemaOf('boolean', { description }), { kind: 'type', expected: 'boolean' }, (value) =>
    typeof value === 'boolean' ? value : undefined,
  );
}

/** Validates one of a closed set of strings. */
export function oneOf<const V extends string>(values: readonly V[], description?: string): Validator<V> {
  return leaf(schemaOf('string', { enum: values, description }), { kind: 'choice', values }, (value) =>
    values.find((candidate) => candidate === value),
  );
}

/** Validates a list of `min` to `max` items. The items of a longer list are not checked. */
export function list<T>(item: Validator<T>, { min, max, description }: Range): Validator<readonly T[]> {
  return {
    schema: schemaOf('array', { items: item.schema, minItems: min, maxItems: max, description }),
    check: (value, path, faults) => {
      if (!Array.isArray(value)) return faults.report(path, { kind: 'type', expected: 'array' }, value);
      const count = value.length;
      if (count < min || count > max) faults.report(path, { kind: 'items', min, max, count }, value);
      if (count > max) return undefined;
      return checkItems(item, value, path, faults);
    },
  };
}

/** Returns the checked items of a list, without those that are refused. */
export function checkItems<T>(
  item: Validator<T>,
  values: readonly unknown[],
  path: string,
  faults: FaultSink,
): T[] {
  const items: T[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const checked = item.check(values[index], `${path}[${index}]`, faults);
    if (checked !== undefined) items.push(checked);
  }
  return items;
}

/** Validates an object with these members and no others; undefined if a member is missing or refused. */
export function object<M extends Members>(members: M, description?: string): Validator<ValuesOf<M>> {
  const entries = Object.entries(members);
  const known = entries.map(([name]) => name);
  const requiredNames = known.filter((name) => isRequired(members[name]));
  return {
    schema: schemaOf('object', {
      description,
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: requiredNames.length > 0 ? requiredNames : undefined,
      additionalProperties: false,
    }),
    check: (value, path, faults) => {
      if (!isObject(value)) return faults.report(path, { kind: 'type', expected: 'object' }, value);
      reportUnknown(value, known, path, faults);
      const checked: Record<string, unknown> = {};
      let isWhole = true;
      for (const [name, member] of entries) {
        if (Object.hasOwn(value, name)) {
          const result = member.check(value[name], `${path}.${name}`, faults);
          if (result === undefined) isWhole = false;
          else checked[name] = result;
        } else if (isRequired(member)) {
          faults.report(`${path}.${name}`, { kind: 'missing' });
          isWhole = false;
        }
      }
      return isWhole ? (checked as ValuesOf<M>) : undefined;
    },
  };
}

function isRequired(member: Members[string] | undefined): boolean {
  return member !== undefined && 'isRequired' in member;
}

/** Reports the members that nothing reads: a misspelt name must not lose what was sent. */
export function reportUnknown(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  faults: FaultSink,
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    if (faults.isFull) return;
    faults.report(path, { kind: 'unknown', name, known }, value[name]);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
