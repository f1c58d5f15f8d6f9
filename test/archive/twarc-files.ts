import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** The folder of real twarc2 files, outside the repository: they contain posts of real people. */
export const TWARC_FOLDER = fileURLToPath(new URL('../../../shared/data/twarc/', import.meta.url));

export const hasTwarcFiles = existsSync(TWARC_FOLDER);

export type WireObject = Readonly<Record<string, unknown>>;

/** An object in one line of a file. */
export interface Seen {
  readonly file: string;
  /** The time of the line, if any. */
  readonly retrievedAt: string;
  readonly object: WireObject;
}

/** All sightings of every complete object in the files, by id (media by key). */
export interface SeenObjects {
  readonly posts: Map<string, Seen[]>;
  readonly users: Map<string, Seen[]>;
  readonly media: Map<string, Seen[]>;
  readonly polls: Map<string, Seen[]>;
  readonly places: Map<string, Seen[]>;
}

export function twarcFiles(): string[] {
  return readdirSync(TWARC_FOLDER)
    .filter((name) => name.endsWith('.gz'))
    .sort();
}

/**
 * Collects the objects of the files in the simplest possible way, to share no error with the import: any object in a
 * line with the members of a post or user counts.
 */
export function collectTwarcFiles(): SeenObjects {
  const seen: SeenObjects = {
    posts: new Map(),
    users: new Map(),
    media: new Map(),
    polls: new Map(),
    places: new Map(),
  };
  for (const file of twarcFiles()) {
    const text = gunzipSync(readFileSync(TWARC_FOLDER + file)).toString('utf8');
    for (const line of text.split('\n')) {
      const json = parsed(line) as { __twarc?: { retrieved_at?: string } } | undefined;
      if (json) collect(seen, json, { file, retrievedAt: json.__twarc?.retrieved_at ?? '' });
    }
  }
  return seen;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function collect(seen: SeenObjects, value: unknown, origin: Omit<Seen, 'object'>): void {
  if (typeof value !== 'object' || value === null) return;
  const object = value as WireObject;
  const add = (objects: Map<string, Seen[]>, id: unknown): void => {
    objects.set(String(id), [...(objects.get(String(id)) ?? []), { ...origin, object }]);
  };
  if ('text' in object && 'author_id' in object && 'id' in object) add(seen.posts, object.id);
  if ('username' in object && 'name' in object && 'id' in object) add(seen.users, object.id);
  if ('media_key' in object && 'type' in object) add(seen.media, object.media_key);
  if ('options' in object && 'id' in object) add(seen.polls, object.id);
  if ('full_name' in object && 'id' in object) add(seen.places, object.id);
  for (const member of Object.values(object)) collect(seen, member, origin);
}
