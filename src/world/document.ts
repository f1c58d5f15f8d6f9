import type { JsonSchema } from '../core/json-schema.js';
import * as v from '../core/validators.js';
import { readActivitySubscriptions } from './activity-subscriptions.js';
import { readArticles } from './articles.js';
import { readBookmarkFolders } from './bookmark-folders.js';
import { readCommunities } from './communities.js';
import { readConversations } from './conversation-entry.js';
import { readApps, readTokens } from './credentials.js';
import { quote, type WorldFaults } from './faults.js';
import { readDeletedPosts, readDeletedUsers } from './deletions.js';
import { readLists } from './lists.js';
import { readMedia } from './media.js';
import { readNotifications } from './notifications.js';
import { readPlaces } from './places.js';
import { readPosts } from './post-entry.js';
import { readBookmarks, readLikes } from './reactions.js';
import { readFollows, readRelations } from './relations.js';
import { readSavedSearches } from './saved-searches.js';
import { readSpaces } from './spaces.js';
import { readStreamRules } from './stream-rules.js';
import { readUsage } from './usage.js';
import { readUsers } from './users.js';
import { readWebhooks } from './webhooks.js';

const READERS = {
  users: readUsers,
  deleted_users: readDeletedUsers,
  follows: readFollows,
  blocks: readRelations,
  mutes: readRelations,
  dm_blocks: readRelations,
  posts: readPosts,
  deleted_posts: readDeletedPosts,
  articles: readArticles,
  likes: readLikes,
  bookmarks: readBookmarks,
  bookmark_folders: readBookmarkFolders,
  media: readMedia,
  places: readPlaces,
  lists: readLists,
  spaces: readSpaces,
  communities: readCommunities,
  conversations: readConversations,
  saved_searches: readSavedSearches,
  notifications: readNotifications,
  apps: readApps,
  tokens: readTokens,
  stream_rules: readStreamRules,
  webhooks: readWebhooks,
  activity_subscriptions: readActivitySubscriptions,
  usage: readUsage,
} as const;

/** The valid entries of a world file; absent sections are empty. */
export type World = {
  readonly [K in keyof typeof READERS]: v.ValueOf<(typeof READERS)[K]>;
};

/** The address of the schema, for editors only. */
const SCHEMA_KEY = '$schema';
const schemaUrl = v.text({ min: 1, max: 2_000 });

/** Returns the JSON Schema of world files, the content of docs/world-file.schema.json. */
export function worldSchema(): JsonSchema {
  const { schema } = v.object({ [SCHEMA_KEY]: schemaUrl, ...READERS });
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Pipit world file', ...schema };
}

/** Reads the document of a world file (docs/world-files.md) and reports every invalid key and value. */
export function readWorld(document: unknown, faults: WorldFaults): World {
  const sections = v.isObject(document) ? document : {};
  if (!v.isObject(document)) faults.add('$', `must be an object, not ${quote(document)}`);
  v.reportUnknown(sections, [SCHEMA_KEY, ...Object.keys(READERS)], '$', faults);
  if (Object.hasOwn(sections, SCHEMA_KEY)) schemaUrl.check(sections[SCHEMA_KEY], `$.${SCHEMA_KEY}`, faults);
  const world: Record<string, unknown> = {};
  for (const [key, section] of Object.entries(READERS)) {
    world[key] = Object.hasOwn(sections, key) ? section.check(sections[key], `$.${key}`, faults) : undefined;
    world[key] ??= [];
  }
  return world as World;
}
