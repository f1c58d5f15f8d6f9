import type { UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { deleteSpace, deleteTicketsOf, listCreatedSpaces } from '../../stores/spaces.js';

/** What one transaction takes away at most. */
const CHUNK = 50;

/** Removes the user's Spaces, and the user's tickets to those of others: for an account that goes away. */
export async function removeSpacesOf(engine: Engine, userId: UserId): Promise<void> {
  let removed = CHUNK;
  while (removed === CHUNK) {
    removed = await engine.tx('remove spaces', async (tx) => {
      const ids = await listCreatedSpaces(tx, userId, CHUNK);
      for (const id of ids) await deleteSpace(tx, userId, id);
      return ids.length;
    });
  }
  await engine.tx('remove tickets', (tx) => deleteTicketsOf(tx, userId));
}
