import type { Atom, Syntax } from '../ast.js';
import { eachLeaf, isAnd, isNot, isOr } from '../ast.js';
import { faultAt } from '../fault.js';
import type { OperatorSet } from '../operator-set.js';
import type { Rule } from './rule.js';

const ONLY_CONJUNCTIONS = 'is/has/lang cannot be used as a standalone operator';
const ONLY_NEGATIVES = 'Rule must contain at least one positive, non-stopword clause';

/**
 * Each branch of a query holds a positive term that may stand alone (docs/api/search.md#grammar, docs/api/search.md#operators). Told
 * once for each of the two ways to break it, at the first branch that does.
 */
export const standaloneRule: Rule = ({ syntax, operators }) => {
  const faults = new Map<string, string>();
  for (const branch of branchesWithoutAnchor(syntax, operators)) {
    const text = hasPositive(branch) ? ONLY_CONJUNCTIONS : ONLY_NEGATIVES;
    if (!faults.has(text)) faults.set(text, faultAt(branch.at, text));
  }
  return [...faults.values()];
};

function branchesWithoutAnchor(syntax: Syntax, operators: OperatorSet): Syntax[] {
  if (isAnchored(syntax, operators, false)) return [];
  return isOr(syntax)
    ? syntax.operands.flatMap((operand) => branchesWithoutAnchor(operand, operators))
    : [syntax];
}

/** Whether only posts that fulfil some standalone term can match; `negated` as De Morgan's laws have it. */
function isAnchored(syntax: Syntax, operators: OperatorSet, negated: boolean): boolean {
  if (isNot(syntax)) return isAnchored(syntax.operand, operators, !negated);
  if (!isAnd(syntax) && !isOr(syntax)) return !negated && mayStandAlone(syntax, operators);
  const anchored = (operand: Syntax): boolean => isAnchored(operand, operators, negated);
  return isAnd(syntax) !== negated ? syntax.operands.some(anchored) : syntax.operands.every(anchored);
}

/** Unknown operators, too: what is wrong with them is told elsewhere. */
function mayStandAlone(atom: Atom, operators: OperatorSet): boolean {
  return atom.kind !== 'operator' || (operators.get(atom.name)?.standalone ?? true);
}

function hasPositive(syntax: Syntax): boolean {
  let positive = false;
  eachLeaf(syntax, (_, negated) => {
    positive ||= !negated;
  });
  return positive;
}
