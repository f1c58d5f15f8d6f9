import type { Fault } from './fault.js';
import { ambiguousKeywordRule } from './rules/ambiguous-keyword.js';
import { availableOperatorsRule } from './rules/available-operators.js';
import { negatedNullcastRule } from './rules/negated-nullcast.js';
import type { CheckedQuery, Rule } from './rules/rule.js';
import { standaloneRule } from './rules/standalone.js';

/** In the order in which the original tells of what they find. */
const RULES: readonly Rule[] = [
  standaloneRule,
  ambiguousKeywordRule,
  availableOperatorsRule,
  negatedNullcastRule,
];

/** What is wrong with the meaning of a query that could be read, apart from the values of its operators. */
export function check(query: CheckedQuery): Fault[] {
  return RULES.flatMap((rule) => rule(query));
}
