import { conflict } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { Clock } from '../../core/clock.js';
import type { Queryable } from '../../database/engine.js';
import { countAllPosts } from '../../stores/whole-network.js';
import { exportArticles } from './articles.js';
import { exportApps, exportTokens, type CredentialDeps } from './credentials.js';
import { exportDeletedPosts, exportDeletedUsers } from './deletions.js';
import type { Entry } from './entry.js';
import { exportCommunities, exportLists, exportSpaces } from './groups.js';
import { exportMedia, exportPlaces, type MediaDeps } from './media.js';
import { exportConversations } from './messages.js';
import { readNames } from './names.js';
import { exportRelations, exportUsers } from './people.js';
import { exportNotifications } from './notifications.js';
import { exportSavedSearches } from './saved-searches.js';
import { exportPosts } from './posts.js';
import { readStoredPosts } from './stored-posts.js';
import { exportBookmarkFolders, exportReactions } from './reactions.js';
import { exportStreamRules } from './stream-rules.js';
import { exportActivitySubscriptions, exportWebhooks } from './webhooks.js';
import { exportUsage } from './usage.js';

/** An export is one document in memory. */
const MAX_POSTS = 100_000;

export interface ExportDeps extends CredentialDeps, MediaDeps {
  readonly engine: Queryable;
  readonly clock: Clock;
}

/**
 * Returns a network as the document of a world file (docs/world-files.md#export). Sections without entries are left
 * out. Throws a 409 for more than 100,000 posts.
 */
export async function exportWorld(deps: ExportDeps): Promise<Readonly<Record<string, readonly Entry[]>>> {
  const { engine: db, clock } = deps;
  if ((await countAllPosts(db)) > MAX_POSTS) throw conflict(`An export has at most ${MAX_POSTS} posts.`);
  const nowMs = clock();
  const names = await readNames(db);
  const posts = await readStoredPosts(db);
  const entries = await exportPosts(db, names, posts);
  const loadable = idsIn(entries);
  const hasPost = (id: bigint): boolean => loadable.has(String(id));
  const apps = await exportApps(db, names, deps);
  const exportedApps = apps.map(({ id }) => BigInt(id as string) as AppId);
  const hasApp = (id: bigint): boolean => exportedApps.includes(id as AppId);
  const sections = {
    users: await exportUsers(db, names, hasPost),
    deleted_users: await exportDeletedUsers(db, names),
    ...(await exportRelations(db, names)),
    posts: entries,
    deleted_posts: exportDeletedPosts(names, posts),
    articles: await exportArticles(db, names),
    likes: await exportReactions(db, names, hasPost, 'likes'),
    bookmarks: await exportReactions(db, names, hasPost, 'bookmarks'),
    bookmark_folders: await exportBookmarkFolders(db, names, hasPost),
    media: await exportMedia(db, names, deps, nowMs),
    places: await exportPlaces(db),
    lists: await exportLists(db, names),
    spaces: await exportSpaces(db, names, hasPost),
    communities: await exportCommunities(db, names),
    conversations: await exportConversations(db, names),
    saved_searches: await exportSavedSearches(db, names),
    notifications: await exportNotifications(db, names, hasPost),
    apps,
    tokens: await exportTokens(db, names, deps, nowMs),
    stream_rules: await exportStreamRules(db, hasApp),
    webhooks: await exportWebhooks(db, names, exportedApps),
    activity_subscriptions: await exportActivitySubscriptions(db, names, exportedApps),
    usage: await exportUsage(db, { hasApp, hasPost }, nowMs),
  };
  return Object.fromEntries(Object.entries(sections).filter(([, section]) => section.length > 0));
}

/** Returns the ids of all versions of exported posts. */
function idsIn(posts: readonly Entry[]): ReadonlySet<unknown> {
  return new Set(
    posts.flatMap(({ id, edits = [] }) => [id, ...(edits as Entry[]).map((edit) => edit['id'])]),
  );
}
