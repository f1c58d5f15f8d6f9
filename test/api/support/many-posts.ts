import { Readable } from 'node:stream';
import { importTwarc } from '../../../src/archive/import-twarc.js';
import { streamSource } from '../../../src/archive/source.js';
import type { PostId } from '../../../src/core/ids.js';
import { timeOfId } from '../../../src/core/snowflake.js';
import type { TestApp } from '../../support/app.js';

/** A post by a user of the server. */
export interface ManyPost {
  readonly id: string;
  readonly authorId: string;
  readonly mentioned?: { readonly id: string; readonly username: string };
  /** A post of the same author. */
  readonly inReplyTo?: string;
}

/** Imports posts, which search does not find: thousands take a fraction of the time of a world file. */
export async function importMany({ pipit }: TestApp, posts: readonly ManyPost[]): Promise<void> {
  const page = Readable.from([Buffer.from(JSON.stringify({ data: posts.map(archived) }))]);
  const parts = { engine: pipit.backend.engine, indexPosts: () => Promise.resolve() };
  const { tallies } = await importTwarc(parts, [streamSource('many posts', page)]);
  if (tallies.posts.new !== posts.length) throw new Error(JSON.stringify(tallies));
}

/** Returns a post in the format of twarc2. */
function archived({ id, authorId, mentioned, inReplyTo }: ManyPost): object {
  const mention = `@${mentioned?.username} `;
  return {
    id,
    author_id: authorId,
    conversation_id: inReplyTo ?? id,
    created_at: new Date(timeOfId(BigInt(id) as PostId) ?? 0).toISOString(),
    text: `${mentioned ? mention : ''}${id}`,
    ...(mentioned && { entities: { mentions: [{ start: 0, end: mention.length - 1, ...mentioned }] } }),
    ...(inReplyTo !== undefined && {
      in_reply_to_user_id: authorId,
      referenced_tweets: [{ type: 'replied_to', id: inReplyTo }],
    }),
  };
}
