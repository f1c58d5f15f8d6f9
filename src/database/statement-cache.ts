import { RecentMap } from '../core/maps.js';
import type { Sql } from './sql.js';

/** Composed statements have new parts at each run, but few distinct texts. */
const MAX_TEXTS = 500;

/**
 * Caches what an engine prepares from the text of a statement. Finds it by the identity of its source line, or else by
 * text among those used recently. A parameter of a source line is always a list or never.
 */
export function createStatementCache<Prepared>(
  textOf: (query: Sql) => string,
  prepare: (text: string, query: Sql) => Prepared,
): (query: Sql) => Prepared {
  const byLine = new WeakMap<readonly string[], Prepared>();
  const byText = new RecentMap<string, Prepared>(MAX_TEXTS);
  return (query) => {
    const known = byLine.get(query.strings);
    if (known !== undefined) return known;
    const text = textOf(query);
    const prepared = byText.get(text) ?? prepare(text, query);
    byText.set(text, prepared);
    // Parts of a template literal are frozen and live as long as the code; those of composed statements do not.
    if (Object.isFrozen(query.strings)) byLine.set(query.strings, prepared);
    return prepared;
  };
}
