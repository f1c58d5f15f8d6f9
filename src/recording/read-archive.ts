import { readLines } from '../archive/lines.js';
import type { Source } from '../archive/source.js';
import { asObjects, requireShallow, type WireObject } from '../archive/wire-json.js';
import { lineObjects } from './answer-objects.js';
import { OBJECT_KEYS } from './object-kinds.js';
import { Budget, Seen } from './seen-objects.js';

type Found = Pick<Seen, 'get' | 'values'>;

/** The posts of archives and what belongs to them, for replaying. */
export interface ArchivedPosts {
  /** All posts by id, also those that others only refer to. */
  readonly posts: Found;
  readonly users: Found;
  /** By their media keys. */
  readonly media: Found;
  readonly polls: Found;
  readonly places: Found;
  /** The ids of the posts that the archives are about. */
  readonly mainIds: readonly string[];
  /** The number of lines without posts, or that cannot be read. */
  readonly unusedLines: number;
}

/** How many users, media and other objects may belong to a post, on the average. */
const OBJECTS_PER_POST = 10;

/** Reads archives until they have `limit` posts, which bounds the memory. Throws the errors of the sources. */
export async function readArchives(sources: readonly Source[], limit: number): Promise<ArchivedPosts> {
  const reading = new ArchiveReading(OBJECTS_PER_POST * limit);
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

const KINDS = ['posts', 'users', 'media', 'polls', 'places'] as const;

class ArchiveReading {
  readonly mainIds = new Set<string>();
  readonly #found;
  #unusedLines = 0;

  constructor(maxPerKind: number) {
    const seen = (): Seen => new Seen(new Budget(maxPerKind));
    this.#found = { posts: seen(), users: seen(), media: seen(), polls: seen(), places: seen() };
  }

  take(text: string): void {
    if (text.trim() === '') return;
    const line = parsed(text);
    const content = line && lineObjects(line);
    if (!line || !content) {
      this.#unusedLines += 1;
      return;
    }
    for (const kind of KINDS) {
      for (const object of content[kind]) {
        const key = object[OBJECT_KEYS[kind]];
        if (typeof key === 'string') this.#found[kind].add(key, object);
      }
    }
    const { data = line } = line;
    for (const { id } of asObjects(Array.isArray(data) ? data : [data])) {
      if (typeof id === 'string' && this.#found.posts.get(id)) this.mainIds.add(id);
    }
  }

  finish(limit: number): ArchivedPosts {
    const mainIds = [...this.mainIds].slice(0, limit);
    return { ...this.#found, mainIds, unusedLines: this.#unusedLines };
  }
}

function parsed(text: string): WireObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    requireShallow(json);
    return asObjects([json])[0];
  } catch {
    // Not JSON, or nested more deeply than any post.
    return undefined;
  }
}
