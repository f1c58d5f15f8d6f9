import type { UserId } from '../core/ids.js';
import type { WireObject } from '../core/wire-json.js';
import { countLikedPosts } from '../stores/likes.js';
import { findUser, findUserCounts } from '../stores/users.js';
import type { ViewDeps } from './post-page.js';
import { presenter } from './wire/presenter.js';
import { userV1Fields } from './wire/user-v1.js';

const present = presenter(userV1Fields, new Set());

/** Returns a user in the v1.1 format as shown to that user, without `id`; undefined if there is none. */
export async function viewUserV1(
  { reads, publicUrl }: ViewDeps,
  id: UserId,
): Promise<WireObject | undefined> {
  const user = await findUser(reads.db, id);
  if (!user) return undefined;
  const counts = (await findUserCounts(reads.db, [id])).get(id);
  return present(user, { counts, likes: await countLikedPosts(reads.db, id), publicUrl });
}
