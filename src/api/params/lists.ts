import { parseId } from '../../core/ids.js';
import { id as idSchema, type JsonSchema } from '../../core/json-schema.js';
import { USERNAME_PATTERN } from '../../core/user.js';
import type { Faults } from '../../http/faults.js';
import type { ParamSpec } from './param.js';
import { reportInvalid, reportMismatch } from './values.js';

/** Entries of `ids`, `usernames` and `user_ids` per request (docs/api/requests.md#ids). */
const MAX_LIST_ENTRIES = 100;

/** 1 to 100 ids, in the order sent, repetitions kept. */
export function idListParam<T extends bigint>(description: string): ParamSpec<readonly T[] | undefined> {
  return listParam(description, idSchema, (entry, name, sent, faults) => {
    const id = parseId<T>(entry);
    if (id === undefined) reportInvalid(name, entry, sent, faults);
    return id;
  });
}

/** 1 to 100 texts that each match a pattern, as Space ids and media keys. */
export function patternListParam(
  pattern: RegExp,
  description: string,
  example?: string,
): ParamSpec<readonly string[] | undefined> {
  return listParam(
    description,
    { type: 'string', pattern: pattern.source, example },
    (entry, name, sent, faults) => {
      if (pattern.test(entry)) return entry;
      reportMismatch(name, entry, sent, pattern, faults);
      return undefined;
    },
  );
}

/** 1 to 100 usernames. */
export function usernameListParam(description: string): ParamSpec<readonly string[] | undefined> {
  return patternListParam(USERNAME_PATTERN, description, 'alice');
}

function listParam<T>(
  description: string,
  items: JsonSchema,
  parseEntry: (entry: string, name: string, sent: string, faults: Faults) => T | undefined,
): ParamSpec<readonly T[] | undefined> {
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'array', items, minItems: 1, maxItems: MAX_LIST_ENTRIES },
    absent: undefined,
    parse: (raw, name, faults) => {
      const entries = raw.split(',');
      if (entries.length > MAX_LIST_ENTRIES) {
        const what = `The \`${name}\` query parameter value length [${entries.length}] is not between 1 and ${MAX_LIST_ENTRIES}`;
        faults.add(name, [raw], what);
        return undefined;
      }
      const parsed: T[] = [];
      for (const entry of entries) {
        const value = parseEntry(entry, name, raw, faults);
        if (value !== undefined) parsed.push(value);
      }
      return parsed;
    },
  };
}

/**
 * A comma-separated choice among names: fields, expansions, `exclude`. An empty set when it is not sent. Names that say
 * tweet are known by their later spelling too, as `referenced_posts.id` (docs/api/requests.md#parameters).
 */
export function choicesParam<const V extends string>(
  values: readonly V[],
  description: string,
): ParamSpec<ReadonlySet<V>> {
  const known = new Map<string, V>([
    ...values.map((value) => [value.replaceAll('tweet', 'post'), value] as const),
    ...values.map((value) => [value, value] as const),
  ]);
  const allowed = [...values].sort().join(',');
  const absent: ReadonlySet<V> = new Set();
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1, uniqueItems: true },
    absent,
    parse: (raw, name, faults) => {
      const chosen = new Set<V>();
      const reported = new Set<string>();
      for (const entry of raw.split(',')) {
        const value = known.get(entry);
        if (value !== undefined) chosen.add(value);
        else if (!reported.has(entry)) {
          reported.add(entry);
          reportChoice(name, entry, raw, allowed, faults);
        }
      }
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
  const allowed = [...values].sort().join(',');
  return {
    in: 'query',
    required: false,
    description,
    schema: { type: 'string', enum: values, default: absent },
    absent,
    parse: (raw, name, faults) => {
      const value = values.find((candidate) => candidate === raw);
      if (value === undefined) reportChoice(name, raw, raw, allowed, faults);
      return value ?? absent;
    },
  };
}

function reportChoice(name: string, value: string, sent: string, allowed: string, faults: Faults): void {
  faults.add(name, [sent], `The \`${name}\` query parameter value [${value}] is not one of [${allowed}]`);
}
