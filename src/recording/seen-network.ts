import { asObject, RefusedObject, requireShallow, type WireObject } from '../archive/wire-json.js';
import { objectsOf } from './answer-objects.js';
import { relationsOf, type RelationKind, type SeenRelation } from './answer-relations.js';
import { OBJECT_KEYS, type ObjectKind } from './object-kinds.js';
import type { SeenAnswer } from './seen-answer.js';
import { Budget, Seen } from './seen-objects.js';

const OBJECT_KINDS = Object.keys(OBJECT_KEYS) as ObjectKind[];
const SEEN_KINDS = [...OBJECT_KINDS, 'relations'] as const;
type SeenKind = (typeof SEEN_KINDS)[number];

/** One object that was seen, or one relation between two. */
export interface Sighting {
  readonly kind: SeenKind;
  readonly key: string;
  readonly object: WireObject;
}

/** Reports whether JSON can be of an answer. Deeply nested JSON could exhaust the stack. */
function isReadable(json: unknown): boolean {
  try {
    requireShallow(json);
    return asObject(json) !== undefined || Array.isArray(json);
  } catch (error) {
    if (error instanceof RefusedObject) return false;
    throw error;
  }
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
  readonly spaces = new Seen(this.budget);
  readonly topics = new Seen(this.budget);
  readonly messages = new Seen(this.budget);
  readonly relations = new Seen(this.budget);
  readonly #idsByName = new Map<string, string>();

  /** `onSighting` receives what an answer shows and was not known. */
  constructor(private readonly onSighting: (sighting: Sighting) => void = () => undefined) {}

  /** Adds a sighting of an earlier recording. */
  restore({ kind, key, object }: Sighting): void {
    if (this[kind].add(key, object) && kind === 'users') this.#addName(object, key);
  }

  /** Returns everything that was seen, for `restore`. */
  *sightings(): Generator<Sighting, void> {
    for (const kind of SEEN_KINDS) {
      for (const [key, object] of this[kind].entries()) yield { kind, key, object };
    }
  }

  /** Reads an answer; answers of other forms have no effect. */
  read(answer: SeenAnswer): void {
    if (!isReadable(answer.json)) return;
    const objects = objectsOf(answer);
    for (const kind of OBJECT_KINDS) {
      for (const object of objects[kind] ?? []) this.#add(kind, object[OBJECT_KEYS[kind]], object);
    }
    const relations = relationsOf(answer, (username) => this.#idsByName.get(username.toLowerCase()));
    for (const { kind, from, to } of relations) {
      this.#add('relations', `${kind} ${from} ${to}`, { kind, from, to });
    }
  }

  /** Returns relations, oldest first: answers list the newest first. */
  related(kind: RelationKind): SeenRelation[] {
    return (this.relations.values() as unknown as SeenRelation[])
      .filter((relation) => relation.kind === kind)
      .reverse();
  }

  #add(kind: SeenKind, key: unknown, object: WireObject): void {
    if (typeof key !== 'string' || !this[kind].add(key, object)) return;
    if (kind === 'users') this.#addName(object, key);
    this.onSighting({ kind, key, object });
  }

  #addName({ username }: WireObject, id: string): void {
    if (typeof username === 'string') this.#idsByName.set(username.toLowerCase(), id);
  }
}
