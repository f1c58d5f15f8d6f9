import { copiedAmong } from '../../database/copied-tables.js';
import { openStoredRows } from '../../database/open-engine.js';
import type { StoredRows } from '../../database/stored-rows.js';
import { listNamedFiles } from '../media-names.js';
import type { Manifest } from './manifest.js';
import { NameSpool } from './name-spool.js';

/** What the rows of a backup tell. */
export type RowFacts = Pick<Manifest, 'schemaVersion' | 'tables'>;

/** Counts the rows of a file, and writes the names of its files of media to the folder `names`. */
export async function describeFile(file: string, names: string): Promise<RowFacts> {
  const rows = await openStoredRows(`sqlite:${file}`);
  try {
    return await describeRows(rows, new NameSpool(names));
  } finally {
    await rows.close();
  }
}

/** Counts rows, without those of the search index, and takes the names of their files of media. */
export async function describeRows(rows: StoredRows, names: NameSpool): Promise<RowFacts> {
  for await (const some of listNamedFiles(rows)) await names.add(some);
  const tables: Record<string, number> = {};
  for (const name of copiedAmong(await rows.tableNames())) tables[name] = await rows.countRows(name);
  return { schemaVersion: await rows.countRows('pipit_migrations'), tables };
}
