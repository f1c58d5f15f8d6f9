import type { Atom, OperatorAtom } from '../ast.js';
import { eachLeaf } from '../ast.js';
import type { Fault } from '../fault.js';
import { faultAt } from '../fault.js';
import type { OperatorSet, QueryAccess } from '../operator-set.js';
import { hasAdvancedOperators, knownValue } from '../operator-set.js';
import { print } from '../print.js';
import type { Rule } from './rule.js';

/** The name of `$tag` in faults. */
const CASHTAG_NAME = 'cashtag';

const NOT_AVAILABLE =
  'Operator is not available in current product or product packaging. ' +
  'Please refer to complete available operator list at http://t.co/operators.';

/**
 * Requires that operators exist and are available to the requester (docs/api/search.md#operators,
 * docs/api/search.md#errors, docs/api/authentication.md#levels-and-tracks).
 */
export const availableOperatorsRule: Rule = ({ syntax, operators, access }) => {
  const faults: Fault[] = [];
  eachLeaf(syntax, (atom) => {
    const fault = faultOf(atom, operators, access);
    if (fault !== undefined) faults.push(fault);
  });
  return faults;
};

function faultOf(atom: Atom, operators: OperatorSet, access: QueryAccess): Fault | undefined {
  if (atom.kind === 'cashtag') {
    return hasAdvancedOperators(access) ? undefined : notAvailable(CASHTAG_NAME, atom.at);
  }
  return atom.kind === 'operator' ? operatorFault(atom, operators, access) : undefined;
}

function operatorFault(atom: OperatorAtom, operators: OperatorSet, access: QueryAccess): Fault | undefined {
  const operator = operators.get(atom.name);
  const isLocked = (item: { readonly advanced?: boolean }): boolean =>
    item.advanced === true && !hasAdvancedOperators(access);
  if (operator === undefined || isLocked(operator)) return notAvailable(atom.name, atom.at);
  if (operator.onlyIn !== undefined && operator.onlyIn !== access.product)
    return notAvailable(atom.name, atom.at);
  if (operator.values === undefined) return undefined;
  const named = print(atom);
  const value = knownValue(operator, atom);
  // X omits the second sentence and the position here.
  if (value === undefined) return `Reference to invalid operator '${named}'`;
  return isLocked(value) ? notAvailable(named, atom.at) : undefined;
}

function notAvailable(name: string, at: number): Fault {
  return faultAt(at, `Reference to invalid operator '${name}'. ${NOT_AVAILABLE}`);
}
