import { createHash } from 'node:crypto';
import { effectOf, type Effect } from '../effect.js';
import { SqlList, type Sql } from '../sql.js';
import { createStatementCache } from '../statement-cache.js';

/** A statement for the driver; without a name the server does not keep it prepared. */
interface Statement {
  readonly text: string;
  readonly name: string | undefined;
  readonly effect: Effect;
}

/** Composed statements have few distinct texts; texts beyond this number are prepared at each run. */
const MAX_NAMED = 500;

/** Caches the statements of an engine. */
export function createStatements(): (query: Sql) => Statement {
  const named = new Set<string>();
  return createStatementCache(textOf, (text, query) => {
    const name = nameOf(text);
    if (named.size < MAX_NAMED) named.add(name);
    return { text, name: named.has(name) ? name : undefined, effect: effectOf(query) };
  });
}

/** Names a statement by its text: a connection that outlives its engine, as in tests, keeps its plans. */
function nameOf(text: string): string {
  return `pipit_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

/**
 * Joins the parts. `column IN ${list}` becomes `column = ANY ($1)`, so that the column determines the array type,
 * even of an empty array.
 */
export function textOf({ strings, params }: Sql): string {
  let text = strings[0] ?? '';
  params.forEach((param, index) => {
    const placeholder = `$${index + 1}`;
    text = param instanceof SqlList ? `${withoutIn(text)} (${placeholder})` : text + placeholder;
    text += strings[index + 1] ?? '';
  });
  return text;
}

function withoutIn(text: string): string {
  const negated = text.replace(/\bNOT\s+IN\s*$/i, '<> ALL');
  if (negated !== text) return negated;
  const any = text.replace(/\bIN\s*$/i, '= ANY');
  if (any === text) throw new TypeError('a list must follow IN');
  return any;
}
