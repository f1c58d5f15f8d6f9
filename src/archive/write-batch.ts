import type { MediaId, PollId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { putImportedObjects, type ImportedKind, type ImportedObject } from '../stores/import-rows.js';
import { findImportedObjects } from '../stores/imports.js';
import { findMedia, insertMedia, updateMedia } from '../stores/media.js';
import { insertPlace } from '../stores/places.js';
import { findPolls, insertPoll, updatePoll } from '../stores/polls.js';
import type { Batch } from './batch.js';
import type { PackedBatch } from './packed-batch.js';
import { combineMedia, combinePolls, isSame, type Sighting } from './sighting.js';
import { newTallies, type Tallies, type Tally } from './tally.js';
import { writePosts, type IndexPosts } from './write-posts.js';
import { writeUsers, type IndexAuthor } from './write-users.js';

/** Callbacks that update the search index. */
export interface Indexing {
  readonly indexPosts: IndexPosts;
  readonly indexAuthor?: IndexAuthor;
}

/** Inserts new objects, updates imported ones with later sightings, keeps those created here. Idempotent. */
export async function writeBatch(tx: Tx, batch: PackedBatch, indexing: Indexing): Promise<Tallies> {
  const tallies = newTallies();
  await writeUsers(tx, batch.users, tallies.users, indexing.indexAuthor);
  await writeMedia(tx, batch.media, tallies.media);
  await writePolls(tx, batch.polls, tallies.polls);
  for (const place of batch.places.values()) {
    tallies.places[(await insertPlace(tx, place)) ? 'new' : 'unchanged'] += 1;
  }
  await writePosts(tx, batch.posts, tallies.posts, indexing.indexPosts);
  return tallies;
}

async function writeMedia(tx: Tx, sightings: Batch['media'], tally: Tally): Promise<void> {
  const ids = [...sightings.keys()];
  await writeSimple(tx, 'media', sightings, tally, {
    stored: await findMedia(tx, ids),
    sightingOf: (media, imported) => ({ ...imported, media }),
    combine: combineMedia,
    insert: (sighting) => insertMedia(tx, sighting.media),
    update: (id: MediaId, sighting) => updateMedia(tx, id, sighting.media),
  });
}

async function writePolls(tx: Tx, sightings: Batch['polls'], tally: Tally): Promise<void> {
  const ids = [...sightings.keys()];
  await writeSimple(tx, 'poll', sightings, tally, {
    stored: await findPolls(tx, ids),
    sightingOf: (poll, imported) => ({ ...imported, poll }),
    combine: combinePolls,
    insert: (sighting) => insertPoll(tx, sighting.poll),
    update: (id: PollId, sighting) => updatePoll(tx, id, sighting.poll),
  });
}

/** The differences between writing media and polls. */
interface Writing<Id, Stored, S> {
  readonly stored: ReadonlyMap<Id, Stored>;
  sightingOf(stored: Stored, imported: ImportedObject): S;
  combine(first: S, second: S): S;
  insert(sighting: S): Promise<boolean>;
  update(id: Id, sighting: S): Promise<boolean>;
}

async function writeSimple<Id extends bigint, Stored, S extends Sighting>(
  tx: Tx,
  kind: ImportedKind,
  sightings: ReadonlyMap<Id, S>,
  tally: Tally,
  writing: Writing<Id, Stored, S>,
): Promise<void> {
  const imported = await findImportedObjects(tx, kind, [...writing.stored.keys()]);
  const written = new Map<bigint, ImportedObject>();
  for (const [id, sighting] of sightings) {
    const stored = writing.stored.get(id);
    const before = imported.get(id);
    if (stored === undefined) {
      await writing.insert(sighting);
      written.set(id, sighting);
      tally.new += 1;
    } else if (!before) {
      tally.kept += 1;
    } else {
      const known = writing.sightingOf(stored, before);
      const combined = writing.combine(known, sighting);
      if (isSame(known, combined)) tally.unchanged += 1;
      else {
        await writing.update(id, combined);
        written.set(id, combined);
        tally.updated += 1;
      }
    }
  }
  await putImportedObjects(tx, kind, written);
}
