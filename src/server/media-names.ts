import type { MediaId } from '../core/ids.js';
import { mainNameOf, namesBehind } from '../core/profile-picture.js';
import {
  keyOfRow,
  type RowKey,
  type StoredRow,
  type StoredRows,
  type StoredTable,
} from '../database/stored-rows.js';
import { segmentName } from '../services/media/finish-upload.js';

/** The tables whose rows name files, and the column with the id of the medium. */
export const MEDIA_TABLES: Readonly<Record<string, string>> = {
  media: 'id',
  media_subtitles: 'media_id',
  media_segments: 'media_id',
  media_uploads: 'media_id',
};

/** The name of a file in a link or a row: an id, a slash and a file name. */
const FILE = /(?<![0-9A-Za-z])([0-9]{1,19})\/[A-Za-z0-9_-]+\.[a-z0-9]+/g;

const PAGE_ROWS = 500;

/** Returns the names of the files that a row of these tables names. */
export function filesOf(table: StoredTable, row: StoredRow): string[] {
  const value = (column: string) => row[table.columns.findIndex(({ name }) => name === column)] ?? '';
  const id = value(MEDIA_TABLES[table.name] ?? '');
  if (table.name === 'media_segments')
    return [segmentName(BigInt(id) as MediaId, Number(value('segment_index')))];
  const named = row.flatMap((text) => [...(text ?? '').matchAll(FILE)]);
  const own = named.flatMap(([name, owner]) => (owner === id ? [name] : []));
  return table.name === 'media' ? own.flatMap((name) => namesBehind(value('media_key'), name)) : own;
}

/**
 * Reports whether a file is a segment of an upload. Its row is written before it, it is replaced under its name, and
 * deleted as soon as the upload ends.
 */
export function isSegment(name: string): boolean {
  return name.includes('/segment-');
}

/** Reports whether a file that rows name may not exist: a segment, or a size of a picture that was not cut here. */
export function mayBeAbsent(name: string): boolean {
  return isSegment(name) || mainNameOf(name) !== undefined;
}

/** Returns the names of all files that rows name, some of them twice, a page of rows at a time. */
export async function* listNamedFiles(rows: StoredRows): AsyncGenerator<string[]> {
  const names = (await rows.tableNames()).filter((name) => name in MEDIA_TABLES);
  for (const table of await rows.describe(names)) {
    for await (const page of pagesOf(rows, table, PAGE_ROWS))
      yield page.flatMap((row) => filesOf(table, row));
  }
}

/** Reads a table to its end, a page at a time. */
export async function* pagesOf(
  rows: StoredRows,
  table: StoredTable,
  limit: number,
): AsyncGenerator<StoredRow[]> {
  let after: RowKey | undefined;
  for (;;) {
    const page = await rows.pageOf(table, after, limit);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = keyOfRow(table, last);
  }
}
