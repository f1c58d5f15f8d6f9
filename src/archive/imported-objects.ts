import type { Tx } from '../storage/engine.js';
import { putImportedObjects, type ImportedKind, type ImportedObject } from '../storage/imports.js';

/** Which objects of a batch are from which sighting. */
export type ImportedObjects = Map<bigint, ImportedObject>;

/** Remembers the sightings of stored objects; those of one page share one, and so one statement. */
export async function writeImportedObjects(
  tx: Tx,
  kind: ImportedKind,
  objects: ImportedObjects,
): Promise<void> {
  const groups = new Map<string, { object: ImportedObject; ids: bigint[] }>();
  for (const [id, object] of objects) {
    const key = `${object.observedAtMs} ${object.isFull}`;
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { object, ids: [id] });
  }
  for (const { object, ids } of groups.values()) await putImportedObjects(tx, kind, ids, object);
}
