import { readTwarcLine, type LineObjects } from '../archive/twarc-line.js';
import { asObject, asObjects, RefusedObject, type WireObject } from '../archive/wire-json.js';
import { Budget, Seen } from './seen-objects.js';

/** An answer of the interface. */
export interface SeenAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly json: unknown;
}

const KINDS = ['users', 'posts', 'media', 'polls', 'places'] as const;

/** The key of an object of each kind. */
const KEY: Readonly<Record<(typeof KINDS)[number], string>> = {
  users: 'id',
  posts: 'id',
  media: 'media_key',
  polls: 'id',
  places: 'id',
};

/** The kinds of edges between users, or users and posts, by the end of the path that lists them. */
const EDGES: Readonly<Record<string, readonly [kind: EdgeKind, isOwnerFirst: boolean]>> = {
  'users following': ['follows', true],
  'users followers': ['follows', false],
  'users blocking': ['blocks', true],
  'users muting': ['mutes', true],
  'users liked_tweets': ['likes', true],
  'users bookmarks': ['bookmarks', true],
  'tweets liking_users': ['likes', false],
  'lists members': ['members', true],
  'lists followers': ['listFollowers', true],
};

export const EDGE_KINDS = [
  'follows',
  'blocks',
  'mutes',
  'likes',
  'bookmarks',
  'members',
  'listFollowers',
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** An edge as two ids: of the user or List that has it, and of its target. */
export type SeenEdge = readonly [from: string, to: string];

const SEEN_KINDS = [...KINDS, 'lists', 'relations'] as const;
type SeenKind = (typeof SEEN_KINDS)[number];

/** One object that was seen, or one relation between two. */
export interface Sighting {
  readonly kind: SeenKind;
  readonly key: string;
  readonly object: WireObject;
}

/** Collects what answers show of a network, in bounded memory. */
export class SeenNetwork {
  readonly budget = new Budget();
  readonly users = new Seen(this.budget);
  readonly posts = new Seen(this.budget);
  readonly media = new Seen(this.budget);
  readonly polls = new Seen(this.budget);
  readonly places = new Seen(this.budget);
  readonly lists = new Seen(this.budget);
  readonly relations = new Seen(this.budget);

  /** `onSighting` receives what an answer shows and was not known. */
  constructor(private readonly onSighting: (sighting: Sighting) => void = () => undefined) {}

  /** Adds a sighting of an earlier recording. */
  restore({ kind, key, object }: Sighting): void {
    this[kind].add(key, object);
  }

  /** Returns everything that was seen, for `restore`. */
  *sightings(): Generator<Sighting, void> {
    for (const kind of SEEN_KINDS) {
      for (const [key, object] of this[kind].entries()) yield { kind, key, object };
    }
  }

  /** Reads an answer; answers of other forms have no effect. */
  read({ method, path, json }: SeenAnswer): void {
    const answer = asObject(json);
    if (!answer) return;
    const [, , noun = '', ownerId = '', last = ''] = path.split('/');
    this.#readObjects(answer, noun === 'users' && last === 'tweets' ? ownerId : undefined);
    this.#readLists(answer, path);
    const items = asObjects(Array.isArray(answer.data) ? answer.data : [answer.data]);
    const edge = EDGES[`${noun} ${last}`];
    if (edge && method === 'GET') {
      for (const { id } of items) this.#addEdge(edge, ownerId, id);
    }
  }

  edges(kind: EdgeKind): SeenEdge[] {
    return this.relations
      .values()
      .filter((edge) => edge.kind === kind)
      .map(({ from, to }) => [String(from), String(to)] as const);
  }

  #readObjects(answer: WireObject, authorId: string | undefined): void {
    const found = objectsOf(answer);
    for (const kind of KINDS) {
      for (const object of found?.[kind] ?? []) {
        const key = object[KEY[kind]];
        if (typeof key !== 'string') continue;
        const isOwn = kind === 'posts' && authorId !== undefined && isMain(answer, key);
        this.#add(kind, key, isOwn ? { author_id: authorId, ...object } : object);
      }
    }
  }

  #readLists({ data }: WireObject, path: string): void {
    if (!/\/(?:lists|owned_lists|followed_lists|list_memberships|pinned_lists)(?:\/\d+)?$/.test(path)) return;
    for (const list of asObjects(Array.isArray(data) ? data : [data])) {
      if (typeof list.id === 'string' && typeof list.name === 'string') this.#add('lists', list.id, list);
    }
  }

  #addEdge([kind, isOwnerFirst]: readonly [EdgeKind, boolean], ownerId: string, id: unknown): void {
    if (typeof id !== 'string' || !/^\d+$/.test(ownerId)) return;
    const [from, to] = isOwnerFirst ? [ownerId, id] : [id, ownerId];
    this.#add('relations', `${kind} ${from} ${to}`, { kind, from, to });
  }

  #add(kind: SeenKind, key: string, object: WireObject): void {
    if (this[kind].add(key, object)) this.onSighting({ kind, key, object });
  }
}

function isMain({ data }: WireObject, id: string): boolean {
  return asObjects(Array.isArray(data) ? data : [data]).some((item) => item.id === id);
}

/** Returns the posts and users of an answer; undefined for an answer without. */
function objectsOf(answer: WireObject): LineObjects | undefined {
  try {
    const content = readTwarcLine(answer);
    return 'skipped' in content ? undefined : content;
  } catch (error) {
    if (error instanceof RefusedObject) return undefined;
    throw error;
  }
}
