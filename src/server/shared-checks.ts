import { stat } from 'node:fs/promises';
import type { Queryable } from '../database/engine.js';
import { StorageUnavailable } from '../database/errors.js';
import { ok, problem, warning, type Finding } from '../database/inspection.js';
import { inspectDatabase } from '../database/open-engine.js';
import { isOpenToOthers, KEY_FILE, readKeyFile } from '../services/secrets/key-file.js';
import { keyPrint } from '../services/secrets/key-place.js';
import type { KeyPlace } from '../services/secrets/key-text.js';
import { KEY_BYTES } from '../services/secrets/vault.js';
import type { MediaPlace } from '../stores/blobs/media-place.js';
import { openBlobs } from '../stores/blobs/open-blobs.js';
import { findSharedFact, type SharedFact } from '../stores/shared-facts.js';
import { fileBesideDatabase, MEDIA_FOLDER } from './backend.js';

interface SharedCheckOptions {
  readonly keyPlace: KeyPlace | undefined;
  readonly mediaPlace: MediaPlace | undefined;
  readonly dataFolder: string;
  readonly baseUrl: string | undefined;
  /** True if servers have used the database. */
  readonly hasSchema: boolean;
}

/** Checks what a server shares with the others of its database: the key of secrets and the place of media. */
export async function checkShared(
  database: string,
  { keyPlace, mediaPlace, dataFolder, baseUrl, hasSchema }: SharedCheckOptions,
): Promise<Finding[]> {
  const keyFile = fileBesideDatabase(database, KEY_FILE, dataFolder);
  // A database in memory has neither.
  if (keyFile === undefined) return [];
  const facts = await readFacts(database);
  const place = keyPlace ?? { kind: 'file', file: keyFile };
  const mediaFolder = fileBesideDatabase(database, MEDIA_FOLDER, dataFolder);
  return [
    place.kind === 'file'
      ? await checkKeyFile(place.file, hasSchema, facts.get('key'))
      : compareKey(place.key, facts.get('key'), 'given'),
    await checkMedia(mediaPlace, mediaFolder, facts.get('media')),
    ...checkBaseUrl(baseUrl, facts.get('base-url')),
  ];
}

async function readFacts(database: string): Promise<Map<SharedFact, string>> {
  await using inspection = await inspectDatabase(database);
  const facts = new Map<SharedFact, string>();
  if (!(await inspection.dialect.tableNames(inspection.db)).includes('shared_facts')) return facts;
  for (const name of ['key', 'media', 'base-url'] as const) await addFact(inspection.db, facts, name);
  return facts;
}

async function addFact(db: Queryable, facts: Map<SharedFact, string>, name: SharedFact): Promise<void> {
  const value = await findSharedFact(db, name);
  if (value !== undefined) facts.set(name, value);
}

const KEY_CHECK = 'key file';

/** Checks the key file, which exists if the schema does. */
async function checkKeyFile(
  file: string,
  isExpected: boolean,
  recorded: string | undefined,
): Promise<Finding> {
  const found = await stat(file).catch(() => undefined);
  if (!found && !isExpected) return ok(KEY_CHECK, 'created at the first start');
  if (!found)
    return problem(
      KEY_CHECK,
      `${file} is missing: put it back, restore a backup, or name the key of the other servers by --key-file or PIPIT_KEY`,
    );
  if (isOpenToOthers(found))
    return problem(KEY_CHECK, `${file} is accessible to other users; run chmod 600 on it`);
  if (found.size !== KEY_BYTES)
    return problem(KEY_CHECK, `${file} is not ${KEY_BYTES} bytes long: it is damaged or not a key file`);
  const key = await readKeyFile(file);
  return compareKey(key, recorded, 'present, accessible to its owner only');
}

function compareKey(key: Buffer | undefined, recorded: string | undefined, message: string): Finding {
  if (key === undefined || recorded === undefined || keyPrint(key) === recorded)
    return ok(KEY_CHECK, message);
  return problem(
    KEY_CHECK,
    'this key is not the one of the database: give each server the key of the one that started first, by --key-file or PIPIT_KEY',
  );
}

function checkBaseUrl(own: string | undefined, recorded: string | undefined): Finding[] {
  if (recorded === undefined) return [];
  if (own === recorded) return [ok('base url', recorded)];
  const message = `the servers of this database use ${recorded}: give all of them the same --base-url`;
  return [own === undefined ? warning('base url', message) : problem('base url', message)];
}

async function checkMedia(
  place: MediaPlace | undefined,
  folder: string | undefined,
  recorded: string | undefined,
): Promise<Finding> {
  const check = 'media';
  const blobs = await openBlobs(place, folder);
  try {
    const own = await blobs.findId();
    if (recorded === undefined) return ok(check, 'their place is recorded at the next start');
    if (own === recorded) return ok(check, 'kept where the servers of this database keep them');
    return problem(
      check,
      'this server would keep media in another place than the servers of this database: give all of them the same --media; ' +
        'if you moved the media on purpose, stop all servers and start one',
    );
  } catch (error) {
    if (error instanceof StorageUnavailable) return problem(check, error.message);
    throw error;
  } finally {
    await blobs.close();
  }
}
