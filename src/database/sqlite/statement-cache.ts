import type { Database, Statement } from 'better-sqlite3';
import { SqlList, type Sql, type SqlValue } from '../sql.js';
import { textOf, type Bound } from './binding.js';
import { effectOf, type Effect } from '../effect.js';

/** A statement ready to run on its connection. */
export interface Prepared {
  /** Rows come as lists of values: the driver is slow at making objects. */
  readonly statement: Statement<Bound[], SqlValue[]>;
  /** The names of a row's values; none for a statement that returns no rows. */
  readonly columns: readonly string[];
  /** Which parameters are lists: they are part of the text. */
  readonly lists: readonly boolean[];
  readonly effect: Effect;
}

/** Statements put together from fragments have new parts at each run; their texts are few. */
const MAX_TEXTS = 500;

/** Statements of one connection. Throws the driver's error for text that does not compile. */
export interface StatementCache {
  prepare(query: Sql): Prepared;
}

/** Finds a statement by the identity of its source line, else by its text among the last used. */
export function createStatementCache(db: Database): StatementCache {
  const byLine = new WeakMap<readonly string[], Prepared>();
  const byText = new Map<string, Prepared>();

  const prepareText = (query: Sql): Prepared => {
    const text = textOf(query);
    const prepared = byText.get(text) ?? prepareOn(db, text, query);
    // A Map keeps the order of insertion: the first is the one not used for longest.
    byText.delete(text);
    byText.set(text, prepared);
    const oldest = byText.keys().next();
    if (byText.size > MAX_TEXTS && !oldest.done) byText.delete(oldest.value);
    return prepared;
  };

  return {
    prepare: (query) => {
      const known = byLine.get(query.strings);
      if (known && hasListsAt(query, known.lists)) return known;
      const prepared = prepareText(query);
      // The parts of a template literal are frozen and live as long as the code; those of composed fragments do not.
      if (Object.isFrozen(query.strings)) byLine.set(query.strings, prepared);
      return prepared;
    },
  };
}

function prepareOn(db: Database, text: string, query: Sql): Prepared {
  const statement = db.prepare<Bound[], SqlValue[]>(text);
  return {
    statement: statement.reader ? statement.raw() : statement,
    columns: statement.reader ? statement.columns().map((column) => column.name) : [],
    lists: query.params.map(isList),
    effect: effectOf(text),
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
