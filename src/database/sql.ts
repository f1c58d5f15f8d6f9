/** Values that every engine can bind. Booleans are 0 and 1, times are milliseconds, JSON is text. */
export type SqlValue = bigint | number | string | null | Uint8Array;

/** A list bound as one parameter, so that one statement serves every length: `column IN ${list(ids)}`. */
export class SqlList {
  constructor(readonly values: readonly (bigint | string)[]) {}
}

/** Creates a list parameter: `WHERE id IN ${list(ids)}`. Values are all ids or all strings. */
export function list(values: readonly (bigint | string)[]): SqlList {
  return new SqlList(values);
}

/**
 * A statement in parts. `strings` has one more element than `params` and, without fragments, is the same object for
 * every run of a source line, so engines can key their statement caches by it.
 */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly params: readonly (SqlValue | SqlList)[],
    readonly lane?: Lane,
  ) {}
}

/** Queries of one lane are usually short, and may wait for each other: engines may send several over one connection. */
export type Lane = 'lookup' | 'edges' | 'home' | 'relations' | 'search';

/** A value of a parameter: `undefined` is bound as NULL and a boolean as 0 or 1. */
export type Parameter = SqlValue | undefined | boolean;

/**
 * Builds a statement. Interpolated values become parameters, never text; an interpolated `Sql` becomes part of the
 * statement.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (Parameter | SqlList | Sql)[]): Sql {
  if (!values.some((value) => value instanceof Sql)) {
    return new Sql(strings, values.map(toParameter));
  }
  const parts: string[] = [strings[0] ?? ''];
  const params: (SqlValue | SqlList)[] = [];
  values.forEach((value, index) => {
    const after = strings[index + 1] ?? '';
    if (value instanceof Sql) {
      parts[parts.length - 1] += value.strings[0] ?? '';
      parts.push(...value.strings.slice(1));
      params.push(...value.params);
      parts[parts.length - 1] += after;
    } else {
      params.push(toParameter(value));
      parts.push(after);
    }
  });
  return new Sql(parts, params);
}

/** Puts a query into a lane. */
export function inLane(lane: Lane, { strings, params }: Sql): Sql {
  return new Sql(strings, params, lane);
}

/** Returns the function that builds queries of a lane, otherwise like `sql`. */
export const sqlIn =
  (lane: Lane): typeof sql =>
  (strings, ...values) =>
    inLane(lane, sql(strings, ...values));

/**
 * Creates a statement that runs often from text chosen by the code, with `?` for each parameter. Its parts are frozen,
 * like those of a template literal: engines cache statements by identity.
 */
export function statement(text: string): (...params: readonly (Parameter | SqlList)[]) => Sql {
  const strings = Object.freeze(text.split('?'));
  return (...params) => new Sql(strings, params.map(toParameter));
}

/** Creates the statements of a list in both orders; `textOf` returns the text of `statement` for a direction. */
export function inBothOrders(textOf: (direction: 'ASC' | 'DESC') => string) {
  return { newest: statement(textOf('DESC')), oldest: statement(textOf('ASC')) };
}

/** Creates SQL from text, for names and types chosen by the code. Never pass user input. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

/** Converts a value for binding: `undefined` to NULL, a boolean to 0 or 1. */
export function toParameter(value: Parameter | SqlList | Sql): SqlValue | SqlList {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as SqlValue | SqlList;
}

/** Decoders of column values. Each throws TypeError if the column holds another type. */

export function asId<T extends bigint>(value: SqlValue | undefined): T {
  if (typeof value === 'bigint') return value as T;
  if (typeof value === 'number') return BigInt(value) as T;
  throw new TypeError(`expected an id, found ${typeof value}`);
}

export function asOptionalId<T extends bigint>(value: SqlValue | undefined): T | undefined {
  return value === null || value === undefined ? undefined : asId<T>(value);
}

export function asNumber(value: SqlValue | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw new TypeError(`expected a number, found ${typeof value}`);
}

export function asOptionalNumber(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : asNumber(value);
}

export function asText<T extends string>(value: SqlValue | undefined): T {
  if (typeof value === 'string') return value as T;
  throw new TypeError(`expected text, found ${typeof value}`);
}

export function asOptionalText<T extends string>(value: SqlValue | undefined): T | undefined {
  return value === null || value === undefined ? undefined : asText<T>(value);
}

export function asBoolean(value: SqlValue | undefined): boolean {
  return asNumber(value) !== 0;
}

/** Parses a JSON column; undefined for NULL. The shape is not validated. */
export function asJson<T>(value: SqlValue | undefined): T | undefined {
  return value === null || value === undefined ? undefined : (JSON.parse(asText(value)) as T);
}

/** Parses a JSON column that is never NULL. The shape is not validated. */
export function asPresentJson<T>(value: SqlValue | undefined): T {
  return JSON.parse(asText(value)) as T;
}

/** Serializes a JSON column; NULL for undefined. */
export function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
