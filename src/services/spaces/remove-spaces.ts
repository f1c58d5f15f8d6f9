import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { deleteSpace, deleteTicketsOf, listCreatedSpaces } from '../../stores/spaces.js';
import { inChunks } from '../chunks.js';

/** Upper bound per transaction. */
const CHUNK = 50;

/** Deletes the Spaces of an account and its tickets to others' Spaces, before the account is deleted. */
export async function removeSpacesOf(engine: Engine, userId: UserId): Promise<void> {
  await inChunks(CHUNK, () =>
    engine.tx('remove spaces', async (tx) => {
      const ids = await listCreatedSpaces(tx, userId, CHUNK);
      for (const id of ids) await deleteSpace(tx, userId, id);
      return ids.length;
    }),
  );
  await engine.tx('remove tickets', (tx) => deleteTicketsOf(tx, userId));
}
