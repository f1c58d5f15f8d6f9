import type { UserId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { findPasswordHash } from '../../stores/users.js';
import { listAllEdges } from '../../stores/whole-network.js';
import { entryOf, timeBeside, unless, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the users. `hasPost` tells whether a pinned post is exported. */
export async function exportUsers(
  db: Queryable,
  { users }: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const user of users) {
    const { pinnedPostId: pinned } = user;
    entries.push(
      entryOf({
        id: String(user.id),
        username: user.username,
        name: user.name,
        password_hash: await findPasswordHash(db, user.id),
        created_at: timeBeside(user.id, user.createdAtMs),
        description: unless('', user.description),
        location: user.location,
        url: user.url,
        protected: unless(false, user.protected),
        verified: unless(false, user.verified),
        verified_type: user.verifiedType,
        subscription_type: user.subscriptionType,
        profile_image_url: user.profileImageUrl,
        pinned_post: pinned !== undefined && hasPost(pinned) ? String(pinned) : undefined,
        allows_photo_tagging: unless(true, user.allowsPhotoTagging),
        receives_dms: unless('following', user.receivesDms),
        suspended: unless(false, user.suspended),
      }),
    );
  }
  return entries;
}

type Relation = 'follows' | 'follow_requests' | 'blocks' | 'mutes' | 'dm_blocks';

/** Returns the relations of one kind, oldest first. */
async function exportEdges(db: Queryable, names: Names, kind: Relation, more: Entry = {}): Promise<Entry[]> {
  const edges = await listAllEdges<UserId, UserId>(db, kind);
  return edges.flatMap((edge) => {
    const [from, to] = [names.find(edge.from), names.find(edge.to)];
    return from === undefined || to === undefined ? [] : [{ from, to, ...more }];
  });
}

/** Returns the sections of relations between users. */
export async function exportRelations(
  db: Queryable,
  names: Names,
): Promise<Readonly<Record<string, Entry[]>>> {
  return {
    follows: [
      ...(await exportEdges(db, names, 'follows')),
      ...(await exportEdges(db, names, 'follow_requests', { pending: true })),
    ],
    blocks: await exportEdges(db, names, 'blocks'),
    mutes: await exportEdges(db, names, 'mutes'),
    dm_blocks: await exportEdges(db, names, 'dm_blocks'),
  };
}
