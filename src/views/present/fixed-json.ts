import { WireJson } from '../../core/wire-json.js';
import type { Fields } from '../wire/field.js';
import { presenter, type Presenter } from '../wire/presenter.js';

/** Where a stored object holds its JSON: for the hundred objects of a page, a WeakMap costs more than writing them. */
const WRITTEN = Symbol('written');

/** A stored object. It never changes: a change is read as another object. */
interface Stored {
  readonly id: bigint;
  [WRITTEN]?: { readonly fields: string; readonly wire: WireJson };
}

/**
 * Keeps the JSON of the members that depend on a stored object alone, for the fields of the last request, in the
 * object: it lives as long as the cached row (database/row-cache.ts). Each kind of object has one of these.
 */
export class FixedJson<T extends Stored> {
  constructor(private readonly fields: Fields<T, string>) {}

  /** Returns a function that writes objects with the fields asked for. */
  writer(asked: ReadonlySet<string>): (object: T) => WireJson {
    const names = [...asked].join();
    let present: Presenter<T, string> | undefined;
    return (object) => {
      const known = object[WRITTEN];
      if (known?.fields === names) return known.wire;
      present ??= presenter(this.fields, asked);
      const id = String(object.id);
      const wire = new WireJson(id, JSON.stringify(present(object, id)));
      object[WRITTEN] = { fields: names, wire };
      return wire;
    };
  }
}
