import { readConversations } from './conversation-entry.js';
import { readApps, readTokens } from './credentials.js';
import type { WorldFaults } from './faults.js';
import { readLists } from './lists.js';
import { readMedia } from './media.js';
import { readPlaces } from './places.js';
import { readPosts } from './post-entry.js';
import { readReactions } from './reactions.js';
import {
  isObject,
  memberPath,
  refuseUnknownKeys,
  quote,
  textOf,
  type Reader,
  type Schema,
} from './readers.js';
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

/** Names the schema for editors; nothing else reads it. */
const SCHEMA_KEY = '$schema';
const schemaUrl = textOf(1, 2_000);

/** Returns the JSON Schema of world files, as docs/world-file.schema.json holds it. */
export function worldSchema(): Schema {
  const sections = Object.entries(READERS).map(([key, { schema }]) => [key, schema] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Pipit world file',
    type: 'object',
    properties: { [SCHEMA_KEY]: schemaUrl.schema, ...Object.fromEntries(sections) },
    additionalProperties: false,
  };
}

/** Reads a world file's document (docs/world-files.md), reporting every key and value that breaks its rules. */
export function readWorld(document: unknown, faults: WorldFaults): World {
  const sections = isObject(document) ? document : {};
  if (!isObject(document)) faults.add('$', `must be an object, not ${quote(document)}`);
  refuseUnknownKeys(sections, [SCHEMA_KEY, ...Object.keys(READERS)], '$', faults);
  if (Object.hasOwn(sections, SCHEMA_KEY)) schemaUrl(sections[SCHEMA_KEY], `$.${SCHEMA_KEY}`, faults);
  const world: Record<string, unknown> = {};
  for (const [key, read] of Object.entries(READERS)) {
    const section = Object.hasOwn(sections, key) ? sections[key] : [];
    world[key] = read(section, memberPath('$', key), faults) ?? [];
  }
  return world as World;
}
