import type { Atom, Syntax } from '../ast.js';
import { eachLeaf, isAnd, isNot, isOr } from '../ast.js';
import { faultAt } from '../fault.js';
import type { OperatorSet } from '../operator-set.js';
import type { Rule } from './rule.js';

const ONLY_CONJUNCTIONS = 'is/has/lang cannot be used as a standalone operator';
const ONLY_NEGATIVES = 'Rule must contain at least one positive, non-stopword clause';

/**
 * Requires a positive standalone term in each branch of a query (docs/api/search.md#grammar,
 * docs/api/search.md#operators). Reports each of the two kinds of violation once, at the first branch.
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

/** Reports whether every match must fulfil a standalone term; `negated` by De Morgan's laws. */
function isAnchored(syntax: Syntax, operators: OperatorSet, negated: boolean): boolean {
  if (isNot(syntax)) return isAnchored(syntax.operand, operators, !negated);
  if (!isAnd(syntax) && !isOr(syntax)) return !negated && mayStandAlone(syntax, operators);
  const anchored = (operand: Syntax): boolean => isAnchored(operand, operators, negated);
  return isAnd(syntax) !== negated ? syntax.operands.some(anchored) : syntax.operands.every(anchored);
}

/** Reports whether an atom may stand alone. True for unknown operators, which another rule reports. */
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
