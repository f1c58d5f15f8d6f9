import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../../database/private-file.js';
import { KEY_FILE } from '../../services/secrets/key-file.js';
import { MEDIA_FOLDER } from '../backend.js';

/** The files of a backup's folder, besides the database. */
export const MANIFEST = 'backup.json';
export const SUMS = 'SHA256SUMS';
export const KEY = KEY_FILE;
export const MEDIA = MEDIA_FOLDER;

/** The file with the database, by engine: one of SQLite, or what `pg_dump` writes. */
export const DATABASE_FILES = { SQLite: 'pipit.db', PostgreSQL: 'pipit.dump' } as const;

export type BackedUpEngine = keyof typeof DATABASE_FILES;

const FORMAT = 1;

/** What a backup holds (docs/backups.md#what-a-backup-holds). */
export interface Manifest {
  /** Everything acknowledged before this time is in the backup. */
  readonly createdAtMs: number;
  /** The version of Pipit that wrote it. */
  readonly pipit: string;
  readonly engine: BackedUpEngine;
  readonly engineVersion: string;
  /** The number of steps of the schema. */
  readonly schemaVersion: number;
  readonly databaseBytes: number;
  /** The number of rows of each table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Undefined if files of media were left out. */
  readonly media: MediaFacts | undefined;
}

export interface MediaFacts {
  readonly files: number;
  readonly bytes: number;
  /** The names of files that rows named and the store did not have. */
  readonly missing: readonly string[];
}

/** Returns the text of `backup.json`. */
export function printManifest(manifest: Manifest): string {
  const { createdAtMs, pipit, engine, engineVersion, schemaVersion, databaseBytes, tables, media } = manifest;
  const json = {
    format: FORMAT,
    created_at: new Date(createdAtMs).toISOString(),
    pipit,
    engine,
    engine_version: engineVersion,
    schema_version: schemaVersion,
    database: { file: DATABASE_FILES[engine], bytes: databaseBytes },
    media: media ?? null,
    tables,
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** Reads the manifest of a folder; undefined if it is no backup. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await orMissing(readFile(join(folder, MANIFEST), 'utf8')).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return parseManifest(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The manifest as JSON: every member may be missing or wrong. */
interface ManifestJson {
  readonly format?: unknown;
  readonly created_at?: unknown;
  readonly pipit?: unknown;
  readonly engine?: unknown;
  readonly engine_version?: unknown;
  readonly schema_version?: unknown;
  readonly database?: { readonly bytes?: unknown };
  readonly media?: unknown;
  readonly tables?: unknown;
}

function parseManifest(json: ManifestJson): Manifest | undefined {
  const { tables } = json;
  const createdAtMs = Date.parse(String(json.created_at));
  const engine = json.engine === 'SQLite' || json.engine === 'PostgreSQL' ? json.engine : undefined;
  if (json.format !== FORMAT || Number.isNaN(createdAtMs) || engine === undefined) return undefined;
  if (!isCounts(tables) || (json.media !== null && !isMediaFacts(json.media))) return undefined;
  return {
    createdAtMs,
    pipit: String(json.pipit),
    engine,
    engineVersion: String(json.engine_version),
    schemaVersion: Number(json.schema_version),
    databaseBytes: Number(json.database?.bytes),
    tables,
    media: json.media ?? undefined,
  };
}

function isCounts(tables: unknown): tables is Manifest['tables'] {
  return typeof tables === 'object' && tables !== null && Object.values(tables).every(Number.isInteger);
}

function isMediaFacts(media: unknown): media is MediaFacts {
  if (typeof media !== 'object' || media === null) return false;
  const { files, bytes, missing } = media as Partial<Record<keyof MediaFacts, unknown>>;
  return Number.isInteger(files) && Number.isInteger(bytes) && Array.isArray(missing);
}
