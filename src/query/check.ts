import type { Fault } from './fault.js';
import { ambiguousKeywordRule } from './rules/ambiguous-keyword.js';
import { availableOperatorsRule } from './rules/available-operators.js';
import { negatedNullcastRule } from './rules/negated-nullcast.js';
import type { CheckedQuery, Rule } from './rules/rule.js';
import { standaloneRule } from './rules/standalone.js';

/** In the order in which X reports faults. */
const RULES: readonly Rule[] = [
  standaloneRule,
  ambiguousKeywordRule,
  availableOperatorsRule,
  negatedNullcastRule,
];

/** Checks the meaning of a parsed query, except the values of its operators. Returns the faults. */
export function check(query: CheckedQuery): Fault[] {
  return RULES.flatMap((rule) => rule(query));
}
