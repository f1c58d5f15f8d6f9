import { parseId } from '../../core/ids.js';
import { schemaOf, type JsonSchema } from '../../core/json-schema.js';
import { isUnicodeText } from '../../core/unicode.js';
import type { ParamSpec } from '../params/params.js';

/**
 * The parameters of v1.1. They are read as leniently as by the original: sizes are clamped, and a value that means
 * nothing counts as not sent (docs/api/v1.md#parameters).
 */

function lenient<T>(
  description: string,
  schema: JsonSchema,
  absent: T,
  read: (raw: string) => T,
): ParamSpec<T> {
  return { in: 'query', required: false, description, schema, absent, parse: (raw) => read(raw) };
}

const TRUE: ReadonlySet<string> = new Set(['true', 't', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', '0']);

/** `true`, `t` or `1`; `false`, `f` or `0`; in any case. */
export function flagParam(description: string, absent = false): ParamSpec<boolean> {
  return lenient(description, { type: 'boolean', default: absent }, absent, (raw) => {
    const value = raw.toLowerCase();
    if (TRUE.has(value)) return true;
    return FALSE.has(value) ? false : absent;
  });
}

/** A number of results, at most `max`. */
export function sizeParam(description: string, max: number, absent: number): ParamSpec<number> {
  const schema = schemaOf('integer', { minimum: 1, maximum: max, default: absent });
  return lenient(description, schema, absent, (raw) => {
    const value = /^\d{1,9}$/.test(raw) ? Number(raw) : 0;
    return value > 0 ? Math.min(value, max) : absent;
  });
}

const ID_SCHEMA = schemaOf('string', { example: '1346889436626259968' });

/** An id; undefined for a text that is none, and if it is not sent. */
export function idV1Param<T extends bigint>(description: string): ParamSpec<T | undefined> {
  return lenient<T | undefined>(description, ID_SCHEMA, undefined, parseId<T>);
}

/** The id at the end of a path, with or without `.json`; undefined for a text that is none. */
export function idV1InPath<T extends bigint>(description: string): ParamSpec<T | undefined> {
  const read = (raw: string) => parseId<T>(raw.replace(/\.json$/, ''));
  return { ...lenient<T | undefined>(description, ID_SCHEMA, undefined, read), in: 'path', required: true };
}

/** Ids separated by commas, without those that are none; undefined if it is not sent. */
export function idListV1Param<T extends bigint>(description: string): ParamSpec<readonly T[] | undefined> {
  return lenient<readonly T[] | undefined>(description, ID_SCHEMA, undefined, (raw) =>
    raw.split(',').flatMap((each) => parseId<T>(each.trim()) ?? []),
  );
}

/** Any text; one that is not Unicode counts as not sent. */
export function textV1Param(description: string, example?: string): ParamSpec<string | undefined> {
  const schema = schemaOf('string', example === undefined ? {} : { example });
  return lenient<string | undefined>(description, schema, undefined, (raw) =>
    isUnicodeText(raw) ? raw : undefined,
  );
}

/** A number with a fraction and a sign. */
export function numberV1Param(description: string): ParamSpec<number | undefined> {
  return lenient<number | undefined>(description, schemaOf('number'), undefined, (raw) =>
    /^-?\d{1,9}(?:\.\d{1,20})?$/.test(raw) ? Number(raw) : undefined,
  );
}
