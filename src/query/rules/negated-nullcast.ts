import { eachLeaf } from '../ast.js';
import type { Fault } from '../fault.js';
import { faultAt } from '../fault.js';
import { readOperator } from '../operator-set.js';
import type { Rule } from './rule.js';

/**
 * Requires that `is:nullcast` is negated: promoted-only posts can be excluded but not searched
 * (docs/api/search.md#operators, docs/api/search.md#grammar).
 */
export const negatedNullcastRule: Rule = ({ syntax, operators }) => {
  const faults: Fault[] = [];
  eachLeaf(syntax, (atom, negated) => {
    if (atom.kind !== 'operator' || negated) return;
    const operator = operators.get(atom.name);
    if (operator?.values === undefined) return;
    const reading = readOperator(operator, atom);
    if ('test' in reading && reading.test.kind === 'is' && reading.test.flag === 'nullcast') {
      faults.push(faultAt(atom.at, 'is:nullcast must be negated'));
    }
  });
  return faults;
};
