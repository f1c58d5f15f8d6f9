import type { WireObject } from '../../core/wire-json.js';
import type { Fields } from './field.js';

/** Shows a stored object as a wire object; `X` is what is loaded beside it. */
export type Presenter<S, X = unknown> = unknown extends X
  ? (object: S) => WireObject
  : (object: S, extra: X) => WireObject;

/** Returns a presenter of the default fields and of those asked for; the others cost nothing. */
export function presenter<S, X>(fields: Fields<S, X>, asked: ReadonlySet<string>): Presenter<S, X> {
  const wanted: { readonly name: string; readonly present: (object: S, extra: X) => unknown }[] = [];
  for (const [name, { shown, askedAs, present }] of Object.entries(fields)) {
    if (shown === 'never' || (shown === 'on-request' && !asked.has(askedAs ?? name))) continue;
    wanted.push({ name, present });
  }
  return (object: S, extra?: X) => {
    const wire: Record<string, unknown> = {};
    for (const { name, present } of wanted) {
      const value = present(object, extra as X);
      if (value !== undefined) wire[name] = value;
    }
    return wire as unknown as WireObject;
  };
}
