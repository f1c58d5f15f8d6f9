import { readConversations } from './conversation-entry.js';
import { readApps, readTokens } from './credentials.js';
import type { WorldFaults } from './faults.js';
import { readLists } from './lists.js';
import { readMedia } from './media.js';
import { readPlaces } from './places.js';
import { readPosts } from './post-entry.js';
import { readReactions } from './reactions.js';
import { isObject, memberPath, refuseUnknownKeys, quote, type Reader } from './readers.js';
import { readFollows, readRelations } from './relations.js';
import { readSpaces } from './spaces.js';
import { readUsers } from './users.js';

const READERS = {
  users: readUsers,
  follows: readFollows,
  blocks: readRelations,
  mutes: readRelations,
  posts: readPosts,
  likes: readReactions,
  bookmarks: readReactions,
  media: readMedia,
  places: readPlaces,
  lists: readLists,
  spaces: readSpaces,
  conversations: readConversations,
  apps: readApps,
  tokens: readTokens,
} as const;

/** The entries of a world file that have no fault in themselves; sections that are absent are empty. */
export type World = {
  readonly [K in keyof typeof READERS]: (typeof READERS)[K] extends Reader<infer T> ? T : never;
};

/** Reads a world file's document (reference/world-file.md), reporting every key and value that breaks its rules. */
export function readWorld(document: unknown, faults: WorldFaults): World {
  const sections = isObject(document) ? document : {};
  if (!isObject(document)) faults.add('$', `must be an object, not ${quote(document)}`);
  refuseUnknownKeys(sections, Object.keys(READERS), '$', faults);
  const world: Record<string, unknown> = {};
  for (const [key, read] of Object.entries(READERS)) {
    const section = Object.hasOwn(sections, key) ? sections[key] : [];
    world[key] = read(section, memberPath('$', key), faults) ?? [];
  }
  return world as World;
}
