import type { Placement } from '../../distribution.js';

/**
 * Where Citus stores the tables (docs/scaling.md#which-table-by-which-key). Tables of a group have the same shards: rows
 * with the same key are on the same server, and a statement about one key goes to one shard.
 */
interface Group {
  readonly name: string;
  /** The key column of each table, by table. The primary key and every unique index contain it. */
  readonly keys: Readonly<Record<string, string>>;
}

const GROUPS: readonly Group[] = [
  {
    name: 'users',
    keys: {
      users: 'id',
      user_counts: 'user_id',
      user_words: 'user_id',
      user_posts: 'user_id',
      mentions: 'user_id',
      recent_texts: 'user_id',
      follows: 'user_id',
      followers: 'user_id',
      follow_requests: 'target_id',
      blocks: 'user_id',
      blocked_by: 'user_id',
      mutes: 'user_id',
      dm_blocks: 'user_id',
      liked_posts: 'user_id',
      bookmarks: 'user_id',
      home_timelines: 'user_id',
      home_entries: 'user_id',
      large_follows: 'user_id',
      dm_memberships: 'user_id',
      dm_inbox: 'user_id',
      dm_threads: 'user_id',
      notifications: 'user_id',
      notification_reads: 'user_id',
    },
  },
  {
    name: 'posts',
    keys: {
      posts: 'id',
      post_counts: 'post_id',
      replies: 'post_id',
      quotes: 'post_id',
      reposts: 'post_id',
      likes: 'post_id',
      hidden_replies: 'conversation_id',
      deleted_posts: 'post_id',
      scrubbed_posts: 'post_id',
      search_posts: 'post_id',
    },
  },
  {
    name: 'conversations',
    keys: { dm_conversations: 'id', dm_participants: 'conversation_id', dm_events: 'conversation_id' },
  },
  { name: 'usernames', keys: { usernames: 'username' } },
];

/** Small tables that statements about one key join: every server has all rows. */
const COPIED = ['large_authors', 'pending_fan_outs'];

/** The placements in the order in which they are made: the first table of a group creates its shards. */
export const PLACEMENTS: readonly Placement[] = [
  ...COPIED.map((table) => ({ table, kind: 'copied' as const })),
  ...GROUPS.flatMap(({ name: group, keys }) =>
    Object.entries(keys).map(([table, key]) => ({ table, kind: 'sharded' as const, key, group })),
  ),
];

/** Returns the table whose shards those of a group follow. */
export function firstOfGroup(group: string): string | undefined {
  const found = GROUPS.find(({ name }) => name === group);
  return found && Object.keys(found.keys)[0];
}
