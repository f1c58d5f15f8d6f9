import { createHash } from 'node:crypto';
import { effectOf, type Effect } from '../effect.js';
import { SqlList, type Sql } from '../sql.js';

/** A statement for the driver; without a name the server does not keep it prepared. */
interface Statement {
  readonly text: string;
  readonly name: string | undefined;
  readonly effect: Effect;
}

interface Known extends Statement {
  /** Which parameters are lists; this affects the text. */
  readonly lists: readonly boolean[];
}

/** Composed statements have few distinct texts; texts beyond this number are prepared at each run. */
const MAX_NAMED = 500;

/** Caches the texts of an engine's statements, by the identity of their source line or else by text. */
export function createStatements(): (query: Sql) => Statement {
  const byLine = new WeakMap<readonly string[], Known>();
  const byText = new Map<string, Known>();

  const compose = (query: Sql): Known => {
    const text = textOf(query);
    const known = byText.get(text);
    if (known) return known;
    const isKept = byText.size < MAX_NAMED;
    const composed = {
      text,
      name: isKept ? nameOf(text) : undefined,
      effect: effectOf(query),
      lists: query.params.map((param) => param instanceof SqlList),
    };
    if (isKept) byText.set(text, composed);
    return composed;
  };

  return (query) => {
    const known = byLine.get(query.strings);
    if (known && hasListsAt(query, known.lists)) return known;
    const composed = compose(query);
    // Parts of a template literal are frozen and live as long as the code; those of composed statements do not.
    if (Object.isFrozen(query.strings)) byLine.set(query.strings, composed);
    return composed;
  };
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

function hasListsAt({ params }: Sql, lists: readonly boolean[]): boolean {
  return params.every((param, index) => param instanceof SqlList === lists[index]);
}
