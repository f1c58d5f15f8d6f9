import { readLines } from '../archive/lines.js';
import type { Source } from '../archive/source.js';
import { readTwarcLine } from '../archive/twarc-line.js';
import { asObjects, RefusedObject, type WireObject } from '../archive/wire-json.js';

/** The posts and users of archives, for replaying. */
export interface ArchivedPosts {
  /** All posts by id, also those that others only refer to. */
  readonly posts: ReadonlyMap<string, WireObject>;
  readonly users: ReadonlyMap<string, WireObject>;
  /** The ids of the posts that the archives are about. */
  readonly mainIds: readonly string[];
  /** The number of lines without posts, or that cannot be read. */
  readonly unusedLines: number;
}

/** Reads archives until they have `limit` posts, which bounds the memory. Throws the errors of the sources. */
export async function readArchives(sources: readonly Source[], limit: number): Promise<ArchivedPosts> {
  const reading = new ArchiveReading();
  for (const source of sources) {
    for await (const lines of readLines(source.read(0))) {
      for (const { text, fault } of lines) {
        reading.take(fault === undefined ? text : '');
        if (reading.mainIds.size >= limit) return reading.finish(limit);
      }
    }
  }
  return reading.finish(limit);
}

class ArchiveReading {
  readonly mainIds = new Set<string>();
  readonly #posts = new Map<string, WireObject>();
  readonly #users = new Map<string, WireObject>();
  #unusedLines = 0;

  take(text: string): void {
    if (text.trim() === '') return;
    const line = parsed(text);
    const content = line && contentOf(line);
    if (!line || !content) {
      this.#unusedLines += 1;
      return;
    }
    for (const user of content.users) if (typeof user.id === 'string') this.#users.set(user.id, user);
    for (const post of content.posts) if (typeof post.id === 'string') this.#posts.set(post.id, post);
    const { data = line } = line;
    for (const { id } of asObjects(Array.isArray(data) ? data : [data])) {
      if (typeof id === 'string' && this.#posts.has(id)) this.mainIds.add(id);
    }
  }

  finish(limit: number): ArchivedPosts {
    const mainIds = [...this.mainIds].slice(0, limit);
    return { posts: this.#posts, users: this.#users, mainIds, unusedLines: this.#unusedLines };
  }
}

function parsed(text: string): WireObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return asObjects([json])[0];
  } catch {
    return undefined;
  }
}

function contentOf(line: WireObject) {
  try {
    const content = readTwarcLine(line);
    return 'skipped' in content ? undefined : content;
  } catch (error) {
    if (error instanceof RefusedObject) return undefined;
    throw error;
  }
}
