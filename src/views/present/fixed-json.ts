import { RecentMap } from '../../core/maps.js';
import { memoized } from '../../core/memoized.js';
import type { PostCounts } from '../../core/post.js';
import type { UserCounts } from '../../core/user.js';
import { WireJson } from '../../core/wire-json.js';
import type { Fields } from '../wire/field.js';
import { presenter, type Presenter } from '../wire/presenter.js';

/** Where a stored object holds its JSON: for the hundred objects of a page, a WeakMap costs more than writing them. */
const WRITTEN = Symbol('written');

/** A stored object. It never changes: a change is read as another object. */
interface Stored {
  readonly id: bigint;
  [WRITTEN]?: FixedWire;
}

export type Counts = Partial<PostCounts & UserCounts>;

/** The JSON of an object with counts, and these; `original` are those of the post that it reposts. */
interface Counted {
  readonly counts: Counts;
  readonly original: Counts | undefined;
  readonly wire: WireJson;
}

/** The JSON of the members that depend on a stored object alone. */
export class FixedWire extends WireJson {
  /** The same with counts (counted-json.ts). */
  counted: Counted | undefined;

  constructor(
    id: string,
    json: string,
    /** What selected the members. */
    readonly present: Presenter<never, string>,
  ) {
    super(id, json);
  }
}

/** Requests select few combinations of fields. */
const MAX_SELECTIONS = 128;

/**
 * Keeps the JSON of the members that depend on a stored object alone, for the fields of the last request, in the
 * object: it lives as long as the cached row (database/row-cache.ts). Each kind of object has one of these.
 */
export class FixedJson<T extends Stored> {
  private readonly presenters = new RecentMap<string, Presenter<T, string>>(MAX_SELECTIONS);

  constructor(private readonly fields: Fields<T, string>) {}

  /** Returns a function that writes objects with the fields asked for. */
  readonly writer = memoized((asked: ReadonlySet<string>): ((object: T) => FixedWire) => {
    const present = this.presenterOf(asked);
    return (object) => {
      const known = object[WRITTEN];
      if (known?.present === present) return known;
      const id = String(object.id);
      const wire = new FixedWire(id, JSON.stringify(present(object, id)), present);
      object[WRITTEN] = wire;
      return wire;
    };
  });

  private presenterOf(asked: ReadonlySet<string>): Presenter<T, string> {
    const names = [...asked].join();
    const known = this.presenters.get(names);
    if (known) return known;
    const present = presenter(this.fields, asked);
    this.presenters.set(names, present);
    return present;
  }
}
