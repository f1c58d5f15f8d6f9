import { WireJson } from '../../core/wire-json.js';
import type { Presenter } from './presenter.js';

/** Where a stored object carries what was written of it: a WeakMap costs more than the writing at a hundred objects a page. */
const WRITTEN = Symbol('written');

/** Something stored that is never changed: what changes is read as another object. */
interface Stored {
  readonly id: bigint;
  [WRITTEN]?: { readonly fields: string; readonly wire: WireJson };
}

/**
 * Keeps the JSON of what an object shows of itself, whoever looks and whenever: as long as the stored object is kept by
 * whoever read it (database/row-cache.ts), and for the fields that were asked for last. One of these for a kind of object.
 */
export class FixedJson<T extends Stored> {
  /** What `presenterOf` gives must depend on nothing but its argument. */
  constructor(private readonly presenterOf: (fields: ReadonlySet<string>) => Presenter<T>) {}

  /** What shows objects with these fields. */
  writer(fields: ReadonlySet<string>): (object: T) => WireJson {
    const asked = [...fields].join();
    const present = this.presenterOf(fields);
    return (object) => {
      const known = object[WRITTEN];
      if (known?.fields === asked) return known.wire;
      const wire = new WireJson(String(object.id), JSON.stringify(present(object)));
      object[WRITTEN] = { fields: asked, wire };
      return wire;
    };
  }
}
