import type { UserId } from '../core/ids.js';
import type { PostWriter } from '../services/posts/write-post.js';
import type { Queryable, Tx } from '../database/engine.js';
import { withoutEvents } from '../database/feed.js';
import { checkActivitySubscriptions, storeActivitySubscriptions } from './activity-subscriptions.js';
import { articleMediaOwners, checkArticles, storeArticles } from './articles.js';
import { checkBookmarkFolders, storeBookmarkFolders } from './bookmark-folders.js';
import { checkCommunities, storeCommunities } from './communities.js';
import { checkConversations, messageMediaOwners, storeConversations } from './conversations.js';
import { checkApps, checkTokens, storeApps, storeTokens } from './credentials.js';
import { checkAgainstBlocks } from './contradictions.js';
import { readWorld, type World } from './document.js';
import { WorldFaults } from './faults.js';
import { declaredIn, Known, type Declared } from './known.js';
import { checkDeletions, removeFormerUsers, storeDeletions, withDeletedPosts } from './deletions.js';
import { checkLists, storeLists } from './lists.js';
import { checkMedia, storeMedia } from './media.js';
import { createEdgeIds, SECTIONS, type Added, type Check, type Load } from './pass.js';
import { checkPlaces, storePlaces } from './places.js';
import { checkPosts } from './check-posts.js';
import { versionsOf } from './post-entry.js';
import { mediaAuthors } from './post-media.js';
import { storePosts } from './store-posts.js';
import { checkReactions, storeBookmarks, storeLikes } from './reactions.js';
import {
  checkFollows,
  checkRelations,
  storeBlocks,
  storeDmBlocks,
  storeFollows,
  storeMutes,
} from './relations.js';
import { checkNotifications, storeNotifications } from './notifications.js';
import { checkProfilePictures, storeProfilePictures } from './profile-pictures.js';
import { checkSavedSearches, storeSavedSearches } from './saved-searches.js';
import { checkSpaces, storeSpaces } from './spaces.js';
import { checkSubtitles } from './subtitles.js';
import { checkStreamRules, storeStreamRules } from './stream-rules.js';
import { checkUsage, storeUsage } from './usage.js';
import { checkPinnedPosts, checkUsers, storeUsers } from './users.js';
import { checkWebhooks, storeWebhooks } from './webhooks.js';
import { checkMediaFiles, storeMediaFiles } from './media-files.js';
import type { WholeBlobs } from '../stores/blobs/whole-blobs.js';
import type { AccountDeps } from '../services/accounts/account-deps.js';

export interface WorldDeps extends AccountDeps {
  readonly writer: PostWriter;
  hashPassword(password: string): Promise<string>;
  /** Stores the files of media; without it, a world with such files is refused. */
  readonly blobs?: WholeBlobs;
}

/**
 * Adds a world file's document to the database in one transaction and returns the number of new objects. Stored
 * objects are unchanged, so loading is idempotent. Throws WorldRefused with every fault.
 */
export async function loadWorld(deps: WorldDeps, document: unknown): Promise<Added> {
  const declared = declaredIn(document);
  const faults = new WorldFaults();
  const world = readWorld(document, faults);
  checkMediaFiles(world.media, deps.blobs !== undefined, faults);
  checkSubtitles(world.media, faults);
  const hasPasswords = world.users.some(({ password }) => password !== undefined);
  let passwordHashes: ReadonlyMap<UserId, string> = new Map();
  if (hasPasswords || faults.hasAny) {
    const { known } = await checkWorld(deps.engine, world, declared, faults);
    faults.throwIfAny();
    // Hashing is slow, so it happens before the transaction, which blocks all other writers.
    passwordHashes = await hashPasswords(deps, world, known);
  }
  // Webhooks of the file receive what happens from now on.
  const feedPosition = world.webhooks.length > 0 ? await deps.engine.feed.position() : undefined;
  const added = await deps.engine.tx('load world', async (open) => {
    const tx = withoutEvents(open);
    // The database may have changed since a check above.
    const check = await checkWorld(tx, world, declared, new WorldFaults());
    check.faults.throwIfAny();
    const added = await storeWorld(tx, { ...deps, feedPosition }, world, check, passwordHashes);
    check.faults.throwIfAny();
    return added;
  });
  // After the commit: a world that is refused leaves no files.
  await storeMediaFiles(world.media, deps.blobs);
  return added;
}

async function checkWorld(
  db: Queryable,
  world: World,
  declared: Declared,
  faults: WorldFaults,
): Promise<Check> {
  const check: Check = { known: new Known(db, declared), faults };
  await checkUsers(world.users, check);
  checkPlaces(world.places, check);
  await checkMedia(world.media, check);
  await checkProfilePictures(world.users, world.media, check);
  await checkDeletions(world, check);
  await checkPosts(world, check);
  await checkArticles(world, check);
  await checkPinnedPosts(world.users, check);
  await checkFollows(world.follows, world.users, check);
  await checkRelations(world.blocks, check);
  await checkRelations(world.mutes, check);
  await checkRelations(world.dm_blocks, check);
  await checkReactions(world.likes, check);
  await checkReactions(world.bookmarks, check);
  await checkBookmarkFolders(world.bookmark_folders, check);
  await checkLists(world.lists, check);
  checkAgainstBlocks(world, check);
  await checkSpaces(world.spaces, check);
  await checkCommunities(world.communities, check);
  await checkConversations(world.conversations, world, check);
  await checkSavedSearches(world.saved_searches, check);
  await checkNotifications(world.notifications, check);
  await checkApps(world.apps, check);
  await checkTokens(world.tokens, declared.appIds, check);
  await checkStreamRules(world.stream_rules, declared.appIds, check);
  await checkWebhooks(world.webhooks, declared.appIds, check);
  const file = { apps: declared.appIds, webhooks: world.webhooks };
  await checkActivitySubscriptions(world.activity_subscriptions, file, check);
  await checkUsage(world.usage, declared.appIds, check);
  return check;
}

/**
 * Hashes the passwords of new users. Users with the same password share a hash, because hashing is slow; the file shows
 * anyway that their passwords are the same.
 */
async function hashPasswords(deps: WorldDeps, world: World, known: Known): Promise<Map<UserId, string>> {
  const hashes = new Map<string, string>();
  const hashesOfUsers = new Map<UserId, string>();
  for (const { id, password } of world.users) {
    if (password === undefined || known.storedUser(id)) continue;
    const hash = hashes.get(password) ?? (await deps.hashPassword(password));
    hashes.set(password, hash);
    hashesOfUsers.set(id, hash);
  }
  return hashesOfUsers;
}

async function storeWorld(
  tx: Tx,
  deps: WorldDeps & Pick<Load, 'feedPosition'>,
  world: World,
  check: Check,
  passwordHashes: ReadonlyMap<UserId, string>,
): Promise<Added> {
  const added = Object.fromEntries(SECTIONS.map((section) => [section, 0])) as Record<keyof Added, number>;
  const load: Load = {
    ...check,
    tx,
    nowMs: deps.clock(),
    ids: deps.ids,
    queue: deps.queue,
    feedPosition: deps.feedPosition,
    newUsers: new Set(),
    formerUsers: new Set(),
    edgeId: createEdgeIds(deps.ids),
    added: (section, count = 1) => {
      added[section] += count;
    },
  };
  await storeUsers(world.users, load, passwordHashes);
  await storePlaces(world.places, load);
  const mediaOwners = new Map([
    ...mediaAuthors(versionsOf(world.posts), load.known),
    ...articleMediaOwners(world.articles, load.known),
    ...messageMediaOwners(world.conversations, load.known),
  ]);
  await storeMedia(world.media, load, mediaOwners, deps.writer.publicUrl);
  await storeProfilePictures(world.users, load);
  await storeDeletions(world, load);
  await withDeletedPosts(world.deleted_posts, load, () => storePosts(world, load, deps.writer));
  await storeArticles(world, load);
  await storeBlocks(world.blocks, load);
  await storeFollows(world.follows, load);
  await storeMutes(world.mutes, load);
  await storeDmBlocks(world.dm_blocks, load);
  await storeLikes(world.likes, load);
  await storeBookmarks(world.bookmarks, load);
  await storeBookmarkFolders(world.bookmark_folders, load);
  await storeLists(world.lists, load);
  await storeSpaces(world.spaces, load);
  await storeCommunities(world.communities, load);
  await storeConversations(world.conversations, load, deps.writer.publicUrl);
  await storeSavedSearches(world.saved_searches, load);
  await storeNotifications(world.notifications, load);
  await storeApps(world.apps, load, deps.apps);
  await storeTokens(world.tokens, load, deps.tokens);
  await storeStreamRules(world.stream_rules, load);
  await storeWebhooks(world.webhooks, load);
  await storeActivitySubscriptions(world.activity_subscriptions, load);
  await storeUsage(world.usage, load);
  await removeFormerUsers(load);
  return added;
}
