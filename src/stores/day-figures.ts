import type { DayFigure } from '../core/day-figures.js';
import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { rowsQuery } from '../database/table.js';

/** Returns the figures from a day on, oldest first. */
export const listDayFigures = rowsQuery<DayFigure, [fromDay: number]>(
  (row) => ({
    day: asNumber(row['day']),
    name: asText(row['name']),
    value: asNumber(row['value']),
    countedAtMs: asNumber(row['counted_at']),
  }),
  'SELECT day, name, value, counted_at FROM day_figures WHERE day >= ? ORDER BY day, name',
);

/** Stores a figure, in place of an earlier count. */
export async function putDayFigure(tx: Tx, { day, name, value, countedAtMs }: DayFigure): Promise<void> {
  await tx.run(sql`
    INSERT INTO day_figures (day, name, value, counted_at) VALUES (${day}, ${name}, ${value}, ${countedAtMs})
    ON CONFLICT (day, name) DO UPDATE SET value = excluded.value, counted_at = excluded.counted_at`);
}

/** A part of a table that was counted: it ends with `last`, which is absent at the end. */
interface Part {
  readonly count: number;
  readonly last?: bigint;
}

/** Counts up to `limit` posts between two ids, both excluded, and returns their authors. */
export async function countPostsBetween(
  db: Queryable,
  after: bigint,
  below: bigint,
  limit: number,
): Promise<Part & { readonly authorIds: readonly UserId[] }> {
  const rows = await db.all(sql`
    SELECT author_id, COUNT(*) AS n, MAX(id) AS last FROM (
      SELECT id, author_id FROM posts WHERE id > ${after} AND id < ${below} ORDER BY id LIMIT ${limit}
    ) part GROUP BY author_id`);
  let [count, last] = [0, after];
  for (const row of rows) {
    count += asNumber(row['n']);
    const id = asId(row['last']);
    if (id > last) last = id;
  }
  const authorIds = rows.map((row) => asId<UserId>(row['author_id']));
  return { count, authorIds, last: count === limit ? last : undefined };
}

/** Counts up to `limit` users between two ids, both excluded. */
export async function countUsersBetween(
  db: Queryable,
  after: bigint,
  below: bigint,
  limit: number,
): Promise<Part> {
  const row = await db.get(sql`
    SELECT COUNT(*) AS n, MAX(id) AS last FROM (
      SELECT id FROM users WHERE id > ${after} AND id < ${below} ORDER BY id LIMIT ${limit}
    ) part`);
  const count = asNumber(row?.['n']);
  return { count, last: row && count === limit ? asId(row['last']) : undefined };
}

/** Adds up the bytes of media of up to `limit` users above an id. */
export async function sumMediaBytes(
  db: Queryable,
  after: bigint,
  limit: number,
): Promise<{ readonly bytes: number; readonly last?: bigint }> {
  const row = await db.get(sql`
    SELECT COUNT(*) AS n, MAX(user_id) AS last, COALESCE(SUM(size_bytes), 0) AS bytes FROM (
      SELECT user_id, size_bytes FROM media_usage WHERE user_id > ${after} ORDER BY user_id LIMIT ${limit}
    ) part`);
  const isWhole = asNumber(row?.['n']) === limit;
  return { bytes: Number(row?.['bytes'] ?? 0), last: row && isWhole ? asId(row['last']) : undefined };
}
