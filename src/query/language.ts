import type { Fold } from '../core/search-text/fold.js';
import type { Fault } from './fault.js';
import type { OperatorSet } from './operator-set.js';

/** A language of queries over one grammar, whose conditions are `P`: search and counts, or rules of streams. */
export interface QueryLanguage<P> {
  readonly operators: OperatorSet<P>;
  /** Folds the words of queries. The texts that they are compared with must be folded in the same way. */
  readonly fold: Fold;
  /** Returns the condition of `"a b"~2`, or a fault; absent if the language lacks it. */
  readonly near?: (text: string, distance: number) => { readonly test: P } | { readonly fault: string };
  /** Returns the fault of an operator that does not exist or is not available. */
  readonly unknownOperator: (name: string, position: number) => Fault;
  /** Returns the fault of an unknown value, named `name:value`, of an operator with few values. */
  readonly unknownValue: (named: string, position: number) => Fault;
}
