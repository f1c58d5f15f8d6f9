import type { Engine } from '../../src/database/engine.js';
import { Readable } from 'node:stream';
import {
  importTwarc,
  type ImportOptions,
  type ImportParts,
  type ImportResult,
} from '../../src/archive/import-twarc.js';
import { streamSource } from '../../src/archive/source.js';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Post, PostCounts } from '../../src/core/post.js';
import { indexImported } from '../../src/services/search/index-posts.js';
import { findPost, findPostCounts } from '../../src/stores/posts.js';
import { sql } from '../../src/database/sql.js';
import { findUser } from '../../src/stores/users.js';
import { openTestEngine } from '../support/test-database.js';

/** Two post ids. */
export const A = '1500000000000000001';
export const B = '1500000000000000002';

/** Two fetch times of lines. */
export const NOON = '2022-06-01T12:00:00+00:00';
export const ONE = '2022-06-01T13:00:00+00:00';

/** Returns a page in the format of twarc2. */
export const page = (data: unknown, users: unknown[] = [], retrieved_at?: string) => ({
  data,
  includes: { users },
  ...(retrieved_at && { __twarc: { retrieved_at } }),
});

export const user = (id: string, username: string, members: object = {}) => ({
  id,
  username,
  name: username,
  ...members,
});

/** Returns a post by user 7. */
export const post = (id: string, members: object = {}) => ({
  id,
  author_id: '7',
  text: 'hello',
  conversation_id: id,
  ...members,
});

/** Imports into an empty database and reads what is stored. */
export interface ImportFixture extends AsyncDisposable {
  readonly engine: Engine;
  readonly parts: ImportParts;
  /** Ids passed to the index. */
  readonly indexed: { readonly posts: string[]; readonly superseded: string[] };
  /** Imports lines of JSON or text, as from standard input. */
  importLines(lines: readonly unknown[], options?: ImportOptions): Promise<ImportResult>;
  importBytes(bytes: Buffer, options?: ImportOptions): Promise<ImportResult>;
  find(postId: string): Promise<Post | undefined>;
  countsOf(postId: string): Promise<PostCounts | undefined>;
  usernameOf(userId: string): Promise<string | undefined>;
  /** Returns the rows of a table, each as its values separated by spaces. */
  rows(table: 'user_posts' | 'mentions' | 'quotes' | 'reposts'): Promise<string[]>;
  /** Makes imported objects look as if they were created through the API. */
  makeLocal(): Promise<void>;
}

export async function createImportFixture(): Promise<ImportFixture> {
  const engine = await openTestEngine();
  const indexed: { posts: string[]; superseded: string[] } = { posts: [], superseded: [] };
  const parts: ImportParts = {
    engine,
    indexPosts: (tx, posts, superseded) => {
      indexed.posts.push(...posts.map(({ id }) => String(id)));
      indexed.superseded.push(...superseded.map(String));
      return indexImported(tx, engine, posts, superseded);
    },
  };
  const importBytes: ImportFixture['importBytes'] = (bytes, options) =>
    importTwarc(parts, [streamSource('standard input', Readable.from([bytes]))], options);
  return {
    engine,
    parts,
    indexed,
    importBytes,
    importLines: (lines, options) => importBytes(Buffer.from(lines.map(textOf).join('\n')), options),
    find: (id) => findPost(engine, BigInt(id) as PostId),
    countsOf: async (id) => {
      const postId = BigInt(id) as PostId;
      return (await findPostCounts(engine, [postId])).get(postId);
    },
    usernameOf: async (id) => (await findUser(engine, BigInt(id) as UserId))?.username,
    rows: async (table) => {
      const found = await engine.all(QUERIES[table]);
      return found.map((row) => Object.values(row).join(' '));
    },
    makeLocal: async () => {
      await engine.tx('make local', (tx) => tx.run(sql`DELETE FROM imported_objects`));
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

const QUERIES = {
  user_posts: sql`SELECT user_id, post_id FROM user_posts ORDER BY post_id`,
  mentions: sql`SELECT user_id, post_id FROM mentions ORDER BY user_id`,
  quotes: sql`SELECT post_id, quote_id FROM quotes`,
  reposts: sql`SELECT post_id, repost_id FROM reposts`,
};

function textOf(line: unknown): string {
  return typeof line === 'string' ? line : JSON.stringify(line);
}
