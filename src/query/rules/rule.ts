import type { Syntax } from '../ast.js';
import type { Fault } from '../fault.js';
import type { OperatorSet, QueryAccess } from '../operator-set.js';

/** A parsed query with the operators and access of the request. */
export interface CheckedQuery {
  readonly syntax: Syntax;
  readonly operators: OperatorSet;
  readonly access: QueryAccess;
}

/** A rule for the meaning of queries. Returns the violations in the order of the query. */
export type Rule = (query: CheckedQuery) => readonly Fault[];
