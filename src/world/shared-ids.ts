import type { DmEventId, PostId } from '../core/ids.js';
import { messagesAmong } from '../stores/dm-events.js';
import { findPosts } from '../stores/posts.js';
import type { WorldMessage } from './conversation-entry.js';
import type { Check } from './pass.js';
import type { WorldPost } from './post-entry.js';

/** Checks that no message has the id of a post: the visibility of media depends on that id alone. */
export async function checkSharedIds(
  messages: readonly WorldMessage[],
  posts: readonly Pick<WorldPost, 'id' | 'path'>[],
  { known, faults }: Check,
): Promise<void> {
  const declared = new Map<bigint, string>(posts.map(({ id, path }) => [id, `${path}.id`]));
  const named = messages.flatMap(({ id, path }) => (id === undefined ? [] : [{ id, path: `${path}.id` }]));
  const ids = named.map(({ id }): bigint => id);
  const stored: ReadonlyMap<bigint, unknown> = await findPosts(known.db, ids as PostId[]);
  for (const { id, path } of named) {
    const post = declared.get(id);
    if (post !== undefined) faults.add(path, `stands at ${post} already`);
    else if (stored.has(id)) faults.add(path, 'is the id of a post in the database');
  }
  const added = posts.filter(({ id }) => !known.isStoredPost(id));
  const taken: ReadonlySet<bigint> = await messagesAmong(
    known.db,
    added.map(({ id }): bigint => id) as DmEventId[],
  );
  for (const { id, path } of added) {
    if (taken.has(id)) faults.add(`${path}.id`, 'is the id of a message in the database');
  }
}
