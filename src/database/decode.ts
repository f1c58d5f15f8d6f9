import type { Queryable } from './queryable.js';
import type { Sql, SqlValue } from './sql.js';

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

/** Returns the column `id` of a query's rows. */
export async function readIds<T extends bigint>(db: Queryable, query: Sql): Promise<T[]> {
  return (await db.all(query)).map((row) => asId<T>(row.id));
}
