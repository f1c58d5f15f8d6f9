import type { UserEntities } from '../core/entities.js';
import type { PostId, UserId } from '../core/ids.js';
import type { Withheld } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { VERIFIED_TYPES, type UserCounts } from '../core/user.js';
import { idOf, mapEntities, requireId } from './map-post.js';
import type { UserSighting } from './sighting.js';
import {
  asCount,
  asObject,
  asText,
  asTimeMs,
  RefusedObject,
  requireShallow,
  type WireObject,
} from './wire-json.js';

/** The first day of X, for accounts whose creation time is unknown. */
export const EARLIEST_MS = Date.UTC(2006, 2, 21);

/**
 * Maps a user (docs/api/objects.md#user) to its stored form. Usernames are not validated, because old accounts have
 * longer or unusual ones. Throws RefusedObject without id or username.
 */
export function mapUser(wire: WireObject, observedAtMs: number): UserSighting {
  const id = requireId<UserId>(wire.id, 'id');
  requireShallow([wire.entities, wire.withheld]);
  const username = asText(wire.username)?.trim();
  if (!username) throw new RefusedObject('a user without username');
  return {
    observedAtMs,
    isFull: wire.public_metrics !== undefined,
    user: {
      id,
      username,
      name: asText(wire.name) ?? username,
      createdAtMs: asTimeMs(wire.created_at) ?? timeOfId(id) ?? EARLIEST_MS,
      description: asText(wire.description) ?? '',
      location: asText(wire.location),
      url: asText(wire.url),
      profileImageUrl: asText(wire.profile_image_url),
      profileBannerUrl: asText(wire.profile_banner_url),
      protected: wire.protected === true,
      verified: wire.verified === true,
      verifiedType: VERIFIED_TYPES.find((type) => type === wire.verified_type),
      pinnedPostId: idOf<PostId>(wire.pinned_tweet_id),
      allowsPhotoTagging: true,
      receivesDms: 'following',
      suspended: false,
      entities: userEntities(wire.entities),
      withheld: asObject(wire.withheld) as Withheld | undefined,
    },
    counts: userCounts(wire.public_metrics),
  };
}

function userEntities(value: unknown): UserEntities | undefined {
  const entities = asObject(value);
  const url = mapEntities(entities?.url);
  const description = mapEntities(entities?.description);
  return url || description ? { ...(url && { url }), ...(description && { description }) } : undefined;
}

function userCounts(value: unknown): UserCounts | undefined {
  const metrics = asObject(value);
  return (
    metrics && {
      followers: asCount(metrics.followers_count) ?? 0,
      following: asCount(metrics.following_count) ?? 0,
      posts: asCount(metrics.tweet_count) ?? 0,
      listed: asCount(metrics.listed_count) ?? 0,
    }
  );
}
