import type { UserId } from '../core/ids.js';
import { countLikedPosts } from '../stores/likes.js';
import { findUser, findUserCounts } from '../stores/users.js';
import type { ViewDeps } from './post-page.js';
import { presentUserV1 } from './present/user-v1.js';

/** Returns a user in the v1.1 format as shown to that user, without `id`; undefined if there is none. */
export async function viewUserV1(
  { reads, publicUrl }: ViewDeps,
  id: UserId,
): Promise<Record<string, unknown> | undefined> {
  const user = await findUser(reads.db, id);
  if (!user) return undefined;
  const counts = (await findUserCounts(reads.db, [id])).get(id);
  return presentUserV1(user, counts, await countLikedPosts(reads.db, id), publicUrl);
}
