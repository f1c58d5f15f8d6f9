import type { Database, Statement } from 'better-sqlite3';
import { SqlList, type Sql, type SqlValue } from '../sql.js';
import { textOf, type Bound } from './binding.js';
import { effectOf, type Effect } from '../effect.js';

/** A statement prepared on its connection. */
export interface Prepared {
  /** Rows are arrays of values: the driver is slow at creating objects. */
  readonly statement: Statement<Bound[], SqlValue[]>;
  /** The column names; empty for a statement without rows. */
  readonly columns: readonly string[];
  /** Which parameters are lists; this affects the text. */
  readonly lists: readonly boolean[];
  readonly effect: Effect;
}

/** Composed statements have new parts at each run, but few distinct texts. */
const MAX_TEXTS = 500;

/**
 * Caches the statements of one connection. Finds a statement by the identity of its source line, or else by text among
 * the most recently used. Throws the driver's error for text that does not compile.
 */
export function createStatementCache(db: Database): (query: Sql) => Prepared {
  const byLine = new WeakMap<readonly string[], Prepared>();
  const byText = new Map<string, Prepared>();

  const prepareText = (query: Sql): Prepared => {
    const text = textOf(query);
    const prepared = byText.get(text) ?? prepareOn(db, text, query);
    // A Map keeps insertion order: the first entry is the least recently used.
    byText.delete(text);
    byText.set(text, prepared);
    const oldest = byText.keys().next();
    if (byText.size > MAX_TEXTS && !oldest.done) byText.delete(oldest.value);
    return prepared;
  };

  return (query) => {
    const known = byLine.get(query.strings);
    if (known && hasListsAt(query, known.lists)) return known;
    const prepared = prepareText(query);
    // Parts of a template literal are frozen and live as long as the code; those of composed statements do not.
    if (Object.isFrozen(query.strings)) byLine.set(query.strings, prepared);
    return prepared;
  };
}

function prepareOn(db: Database, text: string, query: Sql): Prepared {
  const statement = db.prepare<Bound[], SqlValue[]>(text);
  return {
    statement: statement.reader ? statement.raw() : statement,
    columns: statement.reader ? statement.columns().map((column) => column.name) : [],
    lists: query.params.map(isList),
    effect: effectOf(query),
  };
}

function isList(param: unknown): boolean {
  return param instanceof SqlList;
}

function hasListsAt(query: Sql, lists: readonly boolean[]): boolean {
  const { params } = query;
  for (let index = 0; index < params.length; index += 1) {
    if (isList(params[index]) !== lists[index]) return false;
  }
  return true;
}
