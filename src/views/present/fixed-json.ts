import { WireJson } from '../wire-json.js';

/** Something stored that is never changed: what changes is read as another object. */
interface Stored {
  readonly id: bigint;
}

/**
 * Keeps the JSON of what an object shows of itself, whoever looks and whenever: as long as the stored object is kept by
 * whoever read it (storage/row-cache.ts), and for the fields that were asked for last.
 */
export class FixedJson<T extends Stored> {
  private readonly written = new WeakMap<T, { readonly fields: string; readonly wire: WireJson }>();

  /** `present` must depend on nothing but its arguments. */
  constructor(private readonly present: (object: T, fields: ReadonlySet<string>) => object) {}

  /** What shows objects with these fields. */
  writer(fields: ReadonlySet<string>): (object: T) => WireJson {
    const asked = [...fields].join();
    return (object) => {
      const known = this.written.get(object);
      if (known?.fields === asked) return known.wire;
      const wire = new WireJson(String(object.id), JSON.stringify(this.present(object, fields)));
      this.written.set(object, { fields: asked, wire });
      return wire;
    };
  }
}
