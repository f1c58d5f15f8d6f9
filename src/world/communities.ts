import { JOIN_POLICIES } from '../core/community.js';
import type { CommunityId } from '../core/ids.js';
import { MAX_COMMUNITY_DESCRIPTION, MAX_COMMUNITY_NAME } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { insertCommunity, insertMember } from '../stores/communities.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const community = objectOf({
  id: v.required(idOf<CommunityId>()),
  name: v.required(v.text({ min: 1, max: MAX_COMMUNITY_NAME })),
  description: v.text({ max: MAX_COMMUNITY_DESCRIPTION }),
  join_policy: v.oneOf(JOIN_POLICIES),
  created_at: worldTime,
  members: valuesOf(username),
});
export const readCommunities = listOf(community);
type WorldCommunity = v.ValueOf<typeof community>;

/** Checks that members exist. */
export async function checkCommunities(
  entries: readonly WorldCommunity[],
  { known, faults }: Check,
): Promise<void> {
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  await known.requireUsers(referencesIn(entries, 'members'), faults);
}

/** Stores the communities that are not in the database, and their members. */
export async function storeCommunities(entries: readonly WorldCommunity[], load: Load): Promise<void> {
  const { tx, known, nowMs, edgeId } = load;
  for (const { id, name, description = '', join_policy: joinPolicy = 'Open', ...entry } of entries) {
    const createdAtMs = entry.created_at?.at(nowMs) ?? timeOfId(id) ?? nowMs;
    if (await insertCommunity(tx, { id, name, description, joinPolicy, createdAtMs }))
      load.added('communities');
    for (const member of entry.members ?? []) await insertMember(tx, id, known.userId(member), edgeId());
  }
}
