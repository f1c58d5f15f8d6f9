import { parseDigits } from '../../core/digits.js';
import { parseId } from '../../core/ids.js';
import { date, id, type JsonSchema } from '../../core/json-schema.js';
import { parseInstant } from '../../core/timestamp.js';
import { isUnicodeText } from '../../core/unicode.js';
import { USERNAME_PATTERN } from '../../core/user.js';
import { integer, leaf, matching, oneOf, text, type Validator } from '../../core/validators.js';
import type { Faults } from '../../http/faults.js';
import { newerNamesOf } from '../../views/newer-names.js';
import { ParamFaults } from './param-faults.js';

/** Longer than any token of this server. */
const MAX_TOKEN_CHARACTERS = 1024;

/** Entries of `ids`, `usernames` and `user_ids` per request (docs/api/requests.md#ids). */
const MAX_LIST_ENTRIES = 100;

/**
 * One query or path parameter: how its text becomes a value, and how it is documented. `T` is what the handler gets;
 * it includes undefined unless the parameter is required or has a default.
 */
export interface ParamSpec<T> {
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The value when the parameter is not sent. */
  readonly absent: T;
  /** Reads the decoded, non-empty text; reports what is wrong with it under `name`, and then returns `absent`. */
  parse(raw: string, name: string, faults: Faults): T;
  /** Present if the endpoint takes newer names, and some of the choices have one (docs/api/objects.md#vocabularies). */
  readonly newer?: NewerChoices<T>;
}

interface NewerChoices<T> {
  /** The same parameter for newer requests: takes both names, messages and documents list the newer ones. */
  readonly spec: ParamSpec<T>;
  /** Returns true if a text has a newer name. */
  isIn(raw: string): boolean;
}

/** The parameters of an endpoint by wire name, in the order in which messages list them. */
export type ParamMap = Readonly<Record<string, ParamSpec<unknown>>>;

/** What a handler gets for a parameter map. */
export type ParamValues<P extends ParamMap> = {
  readonly [K in keyof P]: P[K] extends ParamSpec<infer T> ? T : never;
};

/** The same parameter, refused when it is missing (docs/api/errors.md#validation-messages, "required missing"). */
export function required<T>(spec: ParamSpec<T>): ParamSpec<Exclude<T, undefined>> {
  return { ...spec, required: true } as ParamSpec<Exclude<T, undefined>>;
}

/** The same parameter as a part of the path. */
export function inPath<T>(spec: ParamSpec<T>): ParamSpec<Exclude<T, undefined>> {
  return { ...required(spec), in: 'path' };
}

function param<T, D = undefined>(
  { schema, check }: Validator<T, string>,
  description: string,
  absent = undefined as D,
): ParamSpec<T | D> {
  return {
    in: 'query',
    required: false,
    description,
    schema,
    absent,
    parse: (raw, name, faults) => check(raw, name, new ParamFaults(faults, raw)) ?? absent,
  };
}

/** A decimal id of up to 19 digits. */
export function idParam<T extends bigint>(description: string): ParamSpec<T | undefined> {
  return param(leaf(id, { kind: 'id' }, parseId<T>), description);
}

/** Text that must match a pattern: Space ids, media keys, conversation ids (docs/api/requests.md#parameters). */
export function patternParam(pattern: RegExp, description: string, example?: string) {
  return param(matching(pattern, { example }), description);
}

/** A username, without the at sign. */
export function usernameParam(description: string) {
  return patternParam(USERNAME_PATTERN, description, 'alice');
}

/** Free text of `min` to `max` code points, without NUL. */
export function textParam(
  description: string,
  rules: { readonly min?: number; readonly max?: number; readonly example?: string } = {},
) {
  return param(text({ min: 1, ...rules }), description);
}

/** An integer between `min` and `max`; `absent` when it is not sent. */
export function integerParam<D extends number | undefined>(
  min: number,
  max: number,
  absent: D,
  description: string,
): ParamSpec<number | D> {
  const { schema } = integer({ min, max });
  const read = (raw: string) => parseDigits(raw, min, max);
  const whole = leaf({ ...schema, default: absent }, { kind: 'integer', min, max }, read);
  return param(whole, description, absent);
}

/** A next or previous token; opaque here. */
export function tokenParam(description = 'Token from the `meta` of the answer before, unmodified.') {
  const schema = { type: 'string', minLength: 1, maxLength: MAX_TOKEN_CHARACTERS };
  const read = (raw: string) => (raw.length <= MAX_TOKEN_CHARACTERS && isUnicodeText(raw) ? raw : undefined);
  return param(leaf(schema, { kind: 'not-text' }, read), description);
}

/** A time of RFC 3339, as `YYYY-MM-DDTHH:mm:ssZ` or with an offset, in milliseconds since the epoch; a fraction is cut off. */
export function timestampParam(description: string, example = '2022-02-01T00:00:00Z') {
  const schema = { ...date, example };
  return param(leaf(schema, { kind: 'time' }, parseInstant), description);
}

/** 1 to 100 ids, or up to `max`, in the order sent, repetitions kept. */
export function idListParam<T extends bigint>(
  description: string,
  max = MAX_LIST_ENTRIES,
): ParamSpec<readonly T[] | undefined> {
  return listParam(leaf(id, { kind: 'id' }, parseId<T>), description, max);
}

/** 1 to 100 texts that each match a pattern, as Space ids and media keys. */
export function patternListParam(pattern: RegExp, description: string, example?: string) {
  return listParam(matching(pattern, { example }), description);
}

/** 1 to 100 usernames. */
export function usernameListParam(description: string) {
  return patternListParam(USERNAME_PATTERN, description, 'alice');
}

function listParam<T>(
  entry: Validator<T, string>,
  description: string,
  max = MAX_LIST_ENTRIES,
): ParamSpec<readonly T[] | undefined> {
  const min = 1;
  const schema = { type: 'array', items: entry.schema, minItems: min, maxItems: max };
  return param(
    {
      schema,
      check: (raw, name, faults) => {
        const entries = raw.split(',');
        const count = entries.length;
        if (count > max) return faults.report(name, { kind: 'items', min, max, count }, raw);
        const checked: T[] = [];
        for (const each of entries) {
          const value = entry.check(each, name, faults);
          if (value !== undefined) checked.push(value);
        }
        return checked;
      },
    },
    description,
  );
}

/**
 * A comma-separated choice among names: fields, expansions, `exclude`. An empty set when it is not sent. The handler
 * gets newer names as those of `values` (docs/api/objects.md#vocabularies).
 */
export function choicesParam<const V extends string>(
  values: readonly V[],
  description: string,
): ParamSpec<ReadonlySet<V>> {
  const none: ReadonlySet<V> = new Set();
  const known = new Map<string, V>(values.map((value) => [value, value]));
  const older = param(choices(known, values), description, none);
  const renamed = new Map(
    values.flatMap((value) => newerNamesOf(value).map((name) => [name, value] as const)),
  );
  if (renamed.size === 0) return older;
  const same = values.filter((value) => newerNamesOf(value).length === 0);
  const listed = [...same, ...renamed.keys()].sort();
  const spec = param(choices(new Map([...known, ...renamed]), listed), description, none);
  const names = [...renamed.keys()];
  return { ...older, newer: { spec, isIn: (raw) => names.some((name) => raw.includes(name)) } };
}

/** Returns the same parameters without newer names. */
export function inOlderNames<P extends ParamMap>(params: P): P {
  const older = Object.entries(params).map(([name, spec]) => [name, { ...spec, newer: undefined }]);
  return Object.fromEntries(older) as P;
}

/** Checks entries that are names of `known`; messages and documents list `listed`. */
function choices<V extends string>(
  known: ReadonlyMap<string, V>,
  listed: readonly string[],
): Validator<ReadonlySet<V>, string> {
  return {
    schema: { type: 'array', items: { type: 'string', enum: listed }, minItems: 1, uniqueItems: true },
    check: (raw, name, faults) => {
      const [chosen, refused] = [new Set<V>(), new Set<string>()];
      for (const entry of raw.split(',')) {
        const value = known.get(entry);
        if (value === undefined) refused.add(entry);
        else chosen.add(value);
      }
      for (const entry of refused) faults.report(name, { kind: 'choice', values: listed }, entry);
      return chosen;
    },
  };
}

/** Exactly one of several names, as `sort_order` and `granularity`. */
export function choiceParam<const V extends string, D extends V | undefined>(
  values: readonly V[],
  absent: D,
  description: string,
): ParamSpec<V | D> {
  const choice = oneOf(values);
  return param({ ...choice, schema: { ...choice.schema, default: absent } }, description, absent);
}

/** `true` or `false` in any case, since Python writes `True`; false when it is not sent. */
export function booleanParam(description: string): ParamSpec<boolean> {
  const values = ['true', 'false'];
  const read = (raw: string) =>
    values.includes(raw.toLowerCase()) ? raw.toLowerCase() === 'true' : undefined;
  return param(
    leaf({ type: 'boolean', default: false }, { kind: 'choice', values }, read),
    description,
    false,
  );
}
