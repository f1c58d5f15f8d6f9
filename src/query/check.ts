import { type Atom, type OperatorAtom, type Syntax, eachLeaf, isAnd, isNot, isOr } from './ast.js';
import { type Fault, faultAt } from './fault.js';
import {
  hasAdvancedOperators,
  knownValue,
  type OperatorSet,
  type QueryAccess,
  readOperator,
} from './operator-set.js';
import { print } from './print.js';

/** A parsed query with the operators and access of the request. */
interface CheckedQuery {
  readonly syntax: Syntax;
  readonly operators: OperatorSet;
  readonly access: QueryAccess;
}

/** A rule for one term of a query. */
type TermRule = (atom: Atom, negated: boolean, query: CheckedQuery) => Fault | undefined;

/**
 * Checks the meaning of a parsed query, except the values of its operators. Returns the faults in the order in which
 * X reports them: by rule, then by position.
 */
export function check(query: CheckedQuery): Fault[] {
  const faults = standaloneFaults(query);
  for (const rule of [ambiguousKeyword, unavailableOperator, positiveNullcast] satisfies TermRule[]) {
    eachLeaf(query.syntax, (atom, negated) => {
      const fault = rule(atom, negated, query);
      if (fault !== undefined) faults.push(fault);
    });
  }
  return faults;
}

const ONLY_CONJUNCTIONS = 'is/has/lang cannot be used as a standalone operator';
const ONLY_NEGATIVES = 'Rule must contain at least one positive, non-stopword clause';

/**
 * Requires a positive standalone term in each branch of a query (docs/api/search.md#grammar,
 * docs/api/search.md#operators). Reports each of the two kinds of violation once, at the first branch.
 */
function standaloneFaults({ syntax, operators }: CheckedQuery): Fault[] {
  const faults = new Map<string, string>();
  for (const branch of branchesWithoutAnchor(syntax, operators)) {
    const text = hasPositive(branch) ? ONLY_CONJUNCTIONS : ONLY_NEGATIVES;
    if (!faults.has(text)) faults.set(text, faultAt(branch.at, text));
  }
  return [...faults.values()];
}

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

const JOINING: ReadonlyMap<string, string> = new Map([
  ['and', 'Use a space'],
  ['or', 'Use OR'],
]);

/** Requires quotes around `and` and `or` in any case except `OR` (docs/api/search.md#grammar). */
function ambiguousKeyword(atom: Atom): Fault | undefined {
  if (atom.kind !== 'keyword') return undefined;
  const word = atom.text.toLowerCase();
  const joining = JOINING.get(word);
  if (joining === undefined) return undefined;
  const advice = `${joining} to logically join two clauses, or "${word}" to find occurrences of ${word} in text`;
  return faultAt(atom.at, `Ambiguous use of ${word} as a keyword. ${advice}`);
}

const NOT_AVAILABLE =
  'Operator is not available in current product or product packaging. ' +
  'Please refer to complete available operator list at http://t.co/operators.';

/**
 * Requires that operators exist and are available to the requester (docs/api/search.md#operators,
 * docs/api/search.md#errors, docs/api/authentication.md#levels-and-tracks).
 */
function unavailableOperator(atom: Atom, _negated: boolean, query: CheckedQuery): Fault | undefined {
  if (atom.kind === 'operator') return operatorFault(atom, query);
  const isLocked = atom.kind === 'cashtag' && !hasAdvancedOperators(query.access);
  return isLocked ? notAvailable('cashtag', atom.at) : undefined;
}

function operatorFault(atom: OperatorAtom, { operators, access }: CheckedQuery): Fault | undefined {
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

/**
 * Requires that `is:nullcast` is negated: promoted-only posts can be excluded but not searched
 * (docs/api/search.md#operators, docs/api/search.md#grammar).
 */
function positiveNullcast(atom: Atom, negated: boolean, { operators }: CheckedQuery): Fault | undefined {
  if (atom.kind !== 'operator' || negated) return undefined;
  const operator = operators.get(atom.name);
  if (operator?.values === undefined) return undefined;
  const reading = readOperator(operator, atom);
  const isNullcast = 'test' in reading && reading.test.kind === 'is' && reading.test.flag === 'nullcast';
  return isNullcast ? faultAt(atom.at, 'is:nullcast must be negated') : undefined;
}
