import type { PostId } from '../core/ids.js';
import { MAX_SPACE_LANG, MAX_SPACE_TITLE } from '../core/limits.js';
import {
  knownParticipants,
  SPACE_ID_PATTERN,
  SPACE_STATES,
  type Space,
  type SpaceId,
} from '../core/space.js';
import * as v from '../core/validators.js';
import { findSpaces, insertSpace, insertSpaceBuyer, insertSpacePost } from '../stores/spaces.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_TOPIC_TEXT = 1_000;
const MAX_TOPIC_ID = 35;

const topic = objectOf({
  id: v.required(v.text({ min: 1, max: MAX_TOPIC_ID })),
  name: v.required(v.text({ min: 1, max: MAX_TOPIC_TEXT })),
  description: v.text({ max: MAX_TOPIC_TEXT }),
});

const space = objectOf({
  id: v.required(
    v.matching(SPACE_ID_PATTERN, { description: 'the id of a Space: 1 to 13 letters and digits' }),
  ),
  creator: v.required(username),
  title: v.required(v.text({ max: MAX_SPACE_TITLE })),
  state: v.required(v.oneOf(SPACE_STATES)),
  created_at: worldTime,
  updated_at: worldTime,
  scheduled_start: worldTime,
  started_at: worldTime,
  ended_at: worldTime,
  lang: v.text({ min: 1, max: MAX_SPACE_LANG }),
  is_ticketed: v.boolean(),
  hosts: valuesOf(username),
  speakers: valuesOf(username),
  invited: valuesOf(username),
  participant_count: v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  topics: valuesOf(topic),
  buyers: valuesOf(username),
  posts: valuesOf(idOf<PostId>()),
});
export const readSpaces = listOf(space);
export type WorldSpace = v.ValueOf<typeof space>;

const USER_KEYS = ['creator', 'hosts', 'speakers', 'invited', 'buyers'] as const;

/** Checks that users and posts exist, topic names are unique, and a stored Space has the same creator. */
export async function checkSpaces(entries: readonly WorldSpace[], { known, faults }: Check): Promise<void> {
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  for (const { topics = [] } of entries) requireUnique(topics, 'id', (topic) => topic.id, faults);
  await known.requireUsers(referencesIn(entries, ...USER_KEYS), faults);
  await known.requirePosts(referencesIn(entries, 'posts'), faults);
  const ids = entries.map((entry) => entry.id as SpaceId);
  const stored = await findSpaces(known.db, ids);
  for (const { id, creator, path } of entries) {
    const creatorId = stored.get(id as SpaceId)?.creatorId;
    if (creatorId !== undefined && creatorId !== known.findUserId(creator))
      faults.add(`${path}.id`, `is a Space of user ${creatorId} in the database`);
  }
}

/** Stores the Spaces that are not in the database, with tickets and shared posts; later entries are newer. */
export async function storeSpaces(entries: readonly WorldSpace[], load: Load): Promise<void> {
  const { tx, known, edgeId } = load;
  for (const entry of entries) {
    const stored = asSpace(entry, load);
    if (await insertSpace(tx, stored)) load.added('spaces');
    for (const name of entry.buyers ?? []) {
      await insertSpaceBuyer(tx, stored.id, known.userId(name), edgeId());
    }
    for (const postId of entry.posts ?? []) {
      await insertSpacePost(tx, stored.id, postId, edgeId());
    }
  }
}

function asSpace(entry: WorldSpace, { known, nowMs }: Load): Space {
  const creatorId = known.userId(entry.creator);
  const userIds = (names: readonly string[] = []) => [...new Set(names.map((name) => known.userId(name)))];
  const startedAtMs = entry.started_at?.at(nowMs);
  const endedAtMs = entry.ended_at?.at(nowMs);
  const times = [startedAtMs, endedAtMs].filter((timeMs) => timeMs !== undefined);
  const createdAtMs = entry.created_at?.at(nowMs) ?? Math.min(nowMs, ...times);
  const made = {
    id: entry.id as SpaceId,
    creatorId,
    title: entry.title,
    state: entry.state,
    createdAtMs,
    updatedAtMs: entry.updated_at?.at(nowMs) ?? Math.max(createdAtMs, ...times),
    scheduledStartMs: entry.scheduled_start?.at(nowMs),
    startedAtMs,
    endedAtMs,
    lang: entry.lang,
    isTicketed: entry.is_ticketed ?? entry.buyers !== undefined,
    hostIds: entry.hosts ? userIds(entry.hosts) : [creatorId],
    speakerIds: userIds(entry.speakers),
    invitedIds: userIds(entry.invited),
    topics: (entry.topics ?? []).map(({ id, name, description }) => ({ id, name, description })),
  };
  return { ...made, participants: entry.participant_count ?? knownParticipants(made) };
}
