import { systemClock } from '../../core/clock.js';
import { parseDatabaseUrl } from '../../database/database-url.js';
import { migrations } from '../../database/migrations/all.js';
import { requireKnownSchema } from '../../database/migrate.js';
import { inspectDatabase, openDistribution, openEngine, openStoredRows } from '../../database/open-engine.js';
import { createPrivateFile, fileExists } from '../../database/private-file.js';
import type { StoredRows } from '../../database/stored-rows.js';
import { KEY_FILE, loadKeyFile } from '../../services/secrets/key-file.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import type { MediaPlace } from '../../stores/blobs/media-place.js';
import { openBlobs } from '../../stores/blobs/open-blobs.js';
import { databaseFile, fileBesideDatabase, MEDIA_FOLDER } from '../backend.js';
import { keepDatabase } from '../database-use.js';
import { MediaCopier, type MediaStores } from './media-copier.js';
import { endMove, move, type Moved, type MoveParts } from './move.js';
import {
  ID,
  MoveRefused,
  MoveStopped,
  requireMovable,
  requireSameSchema,
  searchPendingOf,
  tablesOf,
  type Sides,
} from './sides.js';
import { useFile, useServer, type SourceUse } from './source-use.js';

/** One side of a move. */
export interface MovePlace {
  readonly database: string;
  /** Where its media are; by default beside the database. */
  readonly media?: MediaPlace;
}

export interface MoveRequest extends Pick<MoveParts, 'follows' | 'onProgress' | 'onInStep'> {
  readonly from: MovePlace;
  readonly to: MovePlace;
  /** The folder for files of databases on servers. */
  readonly dataFolder: string;
  /** Whether the servers of both get their key from one place, which is not beside a database. */
  readonly sharesKey?: boolean;
  readonly signal: AbortSignal;
  /** Opens the rows of a database; `openStoredRows` by default. */
  readonly openRows?: typeof openStoredRows;
}

/**
 * Moves a Pipit with its key and media to an empty database, or continues that. Throws MoveRefused, MoveStopped,
 * DatabaseInUse, KeyFileRefused, and the errors of `openEngine`.
 */
export async function runMove(request: MoveRequest): Promise<Moved> {
  const { from, to, openRows = openStoredRows } = request;
  await requireOtherPlaces(from.database, to.database);
  await requireSource(from.database);
  await using held = await openTarget(to.database, openRows);
  await using source = await openRows(from.database).then(closing);
  const sides = await sidesOf(source.rows, held.rows, request.signal);
  if (await endMove(sides))
    return { isResumed: true, tables: [], media: undefined, stoppedMs: undefined, stepMs: {} };
  await requireSameSchema(sides);
  await requireMovable(sides);
  const use = await useSource(from.database, sides);
  const stores = await openStores(request);
  try {
    await copyKey(request);
    const media =
      stores && new MediaCopier(sides, stores, (rows) => request.onProgress({ step: 'media', rows }));
    return await move({ ...request, sides, use, to: to.database, media });
  } finally {
    await stores?.from.close();
    await stores?.to.close();
    await use.end();
  }
}

/**
 * Ends an unfinished move for good: the source records no more changes, and then the target is emptied if it holds an
 * unfinished move. Files of media stay. Returns false if there was none. Throws the errors of opening either one.
 */
export async function abandonMove(from: string, to: string): Promise<boolean> {
  const source = await openStoredRows(from);
  let began: boolean;
  try {
    began = (await source.notes()).has(ID);
    await source.endRecording();
  } finally {
    await source.close();
  }
  return (await emptyTarget(to)) || began;
}

async function emptyTarget(url: string): Promise<boolean> {
  const file = databaseFile(url);
  if (file !== undefined && !(await fileExists(file))) return false;
  const use = file === undefined ? undefined : await keepDatabase(file);
  try {
    const dropped = await dropUnfinished(url);
    // The rows of the next move go to shards too.
    if (dropped === 'distributed') {
      await createSchema(url);
      await (await openDistribution(url)).distribute();
    }
    return dropped !== undefined;
  } finally {
    await use?.end();
  }
}

/** Deletes all tables if they hold an unfinished move, and returns where they were. */
async function dropUnfinished(url: string): Promise<'distributed' | 'on one server' | undefined> {
  await using target = await openStoredRows(url).then(closing);
  if (!(await target.rows.notes()).has(ID)) return undefined;
  const isDistributed = await target.rows.isDistributed();
  await target.rows.dropEverything();
  return isDistributed ? 'distributed' : 'on one server';
}

interface OpenRows extends AsyncDisposable {
  readonly rows: StoredRows;
}

function closing(rows: StoredRows): OpenRows {
  return { rows, [Symbol.asyncDispose]: () => rows.close() };
}

async function requireOtherPlaces(from: string, to: string): Promise<void> {
  for (const url of [from, to]) {
    if (parseDatabaseUrl(url)?.kind === 'memory')
      throw new MoveRefused('a database in memory does not outlive its process: use a file');
  }
  const [one, other] = [databaseFile(from) ?? from, databaseFile(to) ?? to];
  if (one === other) throw new MoveRefused('the source and the target are the same database');
}

async function requireSource(url: string): Promise<void> {
  if ((await appliedSteps(url)) === 0) throw new MoveRefused('the source is empty');
}

async function appliedSteps(url: string): Promise<number> {
  await using inspection = await inspectDatabase(url);
  return await requireKnownSchema(inspection.db, inspection.dialect, migrations);
}

/** Creates the schema unless it is there: opening an engine adds to the feed, which an unfinished move has copied. */
async function createSchema(url: string): Promise<void> {
  const file = databaseFile(url);
  const isThere = file === undefined || (await fileExists(file));
  if (!isThere || (await appliedSteps(url)) < migrations.length)
    await (await openEngine(url, { durability: 'full' })).close();
}

/** Opens the target, creates it if necessary, and keeps other processes from it. */
async function openTarget(url: string, openRows: typeof openStoredRows): Promise<OpenRows> {
  const file = databaseFile(url);
  const use = file === undefined ? await requireUnused(url) : await keepDatabase(file);
  try {
    await createSchema(url);
    const rows = await openRows(url);
    const close = async (): Promise<void> => {
      await rows.close();
      await use?.end();
    };
    return { rows, [Symbol.asyncDispose]: close };
  } catch (error) {
    await use?.end();
    throw error;
  }
}

async function requireUnused(url: string): Promise<undefined> {
  await using target = await openStoredRows(url).then(closing);
  if ((await target.rows.countUsers()) > 0) throw new MoveRefused('a process uses the target: stop it first');
}

async function sidesOf(from: StoredRows, to: StoredRows, signal: AbortSignal): Promise<Sides> {
  return {
    from,
    to,
    tables: await tablesOf(from, to),
    searchPending: await searchPendingOf(to),
    requireRunning: () => {
      if (signal.aborted) throw new MoveStopped('stopped: the same command continues the move');
    },
  };
}

async function useSource(database: string, { from, tables }: Sides): Promise<SourceUse> {
  const file = databaseFile(database);
  if (file !== undefined) return useFile(file);
  const leases = tables.find(({ name }) => name === 'snowflake_workers');
  if (!leases) throw new MoveRefused('the source has no leases of ids');
  return useServer(from, leases, systemClock);
}

/** Copies the key of the secrets to the place where servers of the target look for it. */
async function copyKey({ from, to, dataFolder, sharesKey }: MoveRequest): Promise<void> {
  const [ours, theirs] = [from, to].map(
    ({ database }) => fileBesideDatabase(database, KEY_FILE, dataFolder) ?? '',
  ) as [string, string];
  // A database without a key has no secrets yet.
  if (sharesKey || ours === theirs || !(await fileExists(ours))) return;
  const key = await loadKeyFile(ours);
  if (await createPrivateFile(theirs, key)) return;
  if (!(await loadKeyFile(theirs)).equals(key))
    throw new MoveRefused(`${theirs} is another database's key: move it away first`);
}

/** Opens the stores of media; undefined if both databases have the same one. */
async function openStores({ from, to, dataFolder }: MoveRequest): Promise<MediaStores | undefined> {
  const open = ({ database, media }: MovePlace): Promise<BlobStore> =>
    openBlobs(media, fileBesideDatabase(database, MEDIA_FOLDER, dataFolder));
  const placeOf = ({ database, media }: MovePlace): string =>
    JSON.stringify(
      media ?? { kind: 'folder', folder: fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) },
    );
  if (placeOf(from) === placeOf(to)) return undefined;
  const stores = { from: await open(from), to: await open(to) };
  const id = await stores.from.findId();
  // A store may have several addresses.
  if (id === undefined || id !== (await stores.to.findId())) return stores;
  await stores.from.close();
  await stores.to.close();
  return undefined;
}
