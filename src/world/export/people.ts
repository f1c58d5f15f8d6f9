import type { EdgeId, UserId } from '../../core/ids.js';
import { pictureKeyOf } from '../../core/profile-picture.js';
import type { User } from '../../core/user.js';
import type { Queryable } from '../../database/engine.js';
import { findPasswordHash } from '../../stores/users.js';
import { listAllAccountRecords, listAllEdges, type AccountRecord } from '../../stores/whole-network.js';
import { findProtectedPeriods, type ProtectedPeriod } from '../../stores/protected-periods.js';
import { entryOf, someOf, timeBeside, unless, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the users. `hasPost` tells whether a pinned post is exported. */
export async function exportUsers(
  db: Queryable,
  { users }: Names,
  hasPost: (id: bigint) => boolean,
): Promise<Entry[]> {
  const records = await listAllAccountRecords(db);
  const ids = users.map(({ id }) => id);
  const periods = await findProtectedPeriods(db, ids);
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
        ...entryOfPictures(user),
        pinned_post: pinned !== undefined && hasPost(pinned) ? String(pinned) : undefined,
        allows_photo_tagging: unless(true, user.allowsPhotoTagging),
        receives_dms: unless('following', user.receivesDms),
        ...entryOfAccount(user, records.get(user.id), periods.get(user.id)),
      }),
    );
  }
  return entries;
}

/** Returns the media that a user has uploaded for the profile, or else the addresses of pictures elsewhere. */
function entryOfPictures({
  profileImageId,
  profileImageUrl,
  profileBannerId,
  profileBannerUrl,
}: User): Entry {
  return {
    profile_image_url: profileImageId === undefined ? profileImageUrl : undefined,
    profile_banner_url: profileBannerId === undefined ? profileBannerUrl : undefined,
    profile_image: profileImageId && pictureKeyOf('picture', profileImageId),
    profile_banner: profileBannerId && pictureKeyOf('banner', profileBannerId),
  };
}

/** Returns what happened to an account. One that its owner deactivated counts as suspended too. */
function entryOfAccount(
  user: User,
  { operatorSinceMs, stepsDismissedAtMs, suspension, deactivation }: AccountRecord = {},
  periods: readonly ProtectedPeriod[] = [],
): Entry {
  const timeOf = (timeMs: number | undefined) => (timeMs === undefined ? undefined : worldTimeOf(timeMs));
  const ordered = [...periods].sort((one, other) => one.startedAtMs - other.startedAtMs);
  return {
    suspended: unless(false, deactivation ? deactivation.isSuspended : user.suspended),
    suspension: suspension && {
      reason: unless('', suspension.reason),
      suspended_at: worldTimeOf(suspension.atMs),
    },
    deactivated_at: deactivation && worldTimeOf(deactivation.atMs),
    operator_since: timeOf(operatorSinceMs),
    first_steps_dismissed_at: timeOf(stepsDismissedAtMs),
    protected_periods: someOf(
      ordered.map(({ startedAtMs, endedAtMs }) =>
        entryOf({
          started_at: worldTimeOf(startedAtMs),
          ended_at: timeOf(endedAtMs),
        }),
      ),
    ),
  };
}

type Relation = 'follows' | 'follow_requests' | 'blocks' | 'mutes' | 'dm_blocks';

/** Returns the relations of one kind, oldest first. */
async function exportEdges(
  db: Queryable,
  names: Names,
  kind: Relation,
  moreOf: (id: EdgeId) => Entry = () => ({}),
): Promise<Entry[]> {
  const edges = await listAllEdges<UserId, UserId>(db, kind);
  return edges.flatMap((edge) => {
    const [from, to] = [names.find(edge.from), names.find(edge.to)];
    return from === undefined || to === undefined ? [] : [{ from, to, ...moreOf(edge.id) }];
  });
}

/** Returns the sections of relations between users. */
export async function exportRelations(
  db: Queryable,
  names: Names,
): Promise<Readonly<Record<string, Entry[]>>> {
  return {
    follows: [
      ...(await exportEdges(db, names, 'follows', (id) => ({ id: String(id) }))),
      ...(await exportEdges(db, names, 'follow_requests', (id) => ({ pending: true, id: String(id) }))),
    ],
    blocks: await exportEdges(db, names, 'blocks'),
    mutes: await exportEdges(db, names, 'mutes'),
    dm_blocks: await exportEdges(db, names, 'dm_blocks'),
  };
}
