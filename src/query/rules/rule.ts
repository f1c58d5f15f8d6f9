import type { Syntax } from '../ast.js';
import type { Fault } from '../fault.js';
import type { OperatorSet, QueryAccess } from '../operator-set.js';

/** A query that could be read, and by whom and with which operators it is asked. */
export interface CheckedQuery {
  readonly syntax: Syntax;
  readonly operators: OperatorSet;
  readonly access: QueryAccess;
}

/** One rule about the meaning of queries: what breaks it, in the order of the query. */
export type Rule = (query: CheckedQuery) => readonly Fault[];
