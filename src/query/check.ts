import { type Atom, type OperatorAtom, type Syntax, eachLeaf, isAnd, isNot, isOr } from './ast.js';
import { type Fault, faultAt } from './fault.js';
import type { QueryLanguage } from './language.js';
import {
  hasAdvancedOperators,
  knownValue,
  type Operator,
  type OperatorSet,
  type QueryAccess,
} from './operator-set.js';
import { print } from './print.js';

/** A parsed query with its language and the access of the request; without access, everything is available. */
interface CheckedQuery {
  readonly syntax: Syntax;
  readonly language: QueryLanguage<unknown>;
  readonly access?: QueryAccess;
}

/** A rule for one term of a query. */
type TermRule = (atom: Atom, negated: boolean, query: CheckedQuery) => Fault | undefined;

/**
 * Checks the meaning of a parsed query, except the values of its operators. Returns the faults in the order in which
 * X reports them: by rule, then by position.
 */
export function check(query: CheckedQuery): Fault[] {
  const faults = standaloneFaults(query);
  for (const rule of TERM_RULES) {
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
function standaloneFaults({ syntax, language: { operators } }: CheckedQuery): Fault[] {
  const faults = new Map<string, string>();
  for (const branch of branchesWithoutAnchor(syntax, operators)) {
    const text = hasPositive(branch) ? ONLY_CONJUNCTIONS : ONLY_NEGATIVES;
    if (!faults.has(text)) faults.set(text, faultAt(branch.at, text));
  }
  return [...faults.values()];
}

function branchesWithoutAnchor(syntax: Syntax, operators: OperatorSet<unknown>): Syntax[] {
  if (isAnchored(syntax, operators, false)) return [];
  return isOr(syntax)
    ? syntax.operands.flatMap((operand) => branchesWithoutAnchor(operand, operators))
    : [syntax];
}

/** Reports whether every match must fulfil a standalone term; `negated` by De Morgan's laws. */
function isAnchored(syntax: Syntax, operators: OperatorSet<unknown>, negated: boolean): boolean {
  if (isNot(syntax)) return isAnchored(syntax.operand, operators, !negated);
  if (!isAnd(syntax) && !isOr(syntax)) return !negated && mayStandAlone(syntax, operators);
  const anchored = (operand: Syntax): boolean => isAnchored(operand, operators, negated);
  return isAnd(syntax) !== negated ? syntax.operands.some(anchored) : syntax.operands.every(anchored);
}

/** Reports whether an atom may stand alone. True for unknown operators, which another rule reports. */
function mayStandAlone(atom: Atom, operators: OperatorSet<unknown>): boolean {
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

/**
 * Requires that operators exist and are available to the requester (docs/api/search.md#operators,
 * docs/api/search.md#errors, docs/api/authentication.md#levels-and-tracks).
 */
function unavailableOperator(atom: Atom, _negated: boolean, query: CheckedQuery): Fault | undefined {
  if (atom.kind === 'operator') return operatorFault(atom, query);
  const isUnavailable = atom.kind === 'cashtag' && isLocked({ advanced: true }, query);
  return isUnavailable ? query.language.unknownOperator('cashtag', atom.at) : undefined;
}

function operatorFault(atom: OperatorAtom, query: CheckedQuery): Fault | undefined {
  const { language } = query;
  const operator = language.operators.get(atom.name);
  if (operator === undefined || isLocked(operator, query)) {
    return language.unknownOperator(atom.name, atom.at);
  }
  if (operator.values === undefined) return undefined;
  const named = print(atom);
  const value = knownValue(operator, atom);
  if (value === undefined) return language.unknownValue(named, atom.at);
  return isLocked(value, query) ? language.unknownOperator(named, atom.at) : undefined;
}

/** Reports whether an operator or value needs another level, track or product than the request has. */
function isLocked(item: Pick<Operator, 'advanced' | 'onlyIn'>, { access }: CheckedQuery): boolean {
  if (access === undefined) return false;
  if (item.advanced === true && !hasAdvancedOperators(access)) return true;
  return item.onlyIn !== undefined && item.onlyIn !== access.product;
}

/**
 * Requires that `is:nullcast` is negated, since promoted-only posts can be excluded but not searched, and that
 * `sample:` in a rule is not (docs/api/search.md#operators, docs/api/streams.md#rules).
 */
function wrongSign(atom: Atom, negated: boolean, { language }: CheckedQuery): Fault | undefined {
  const operator = atom.kind === 'operator' ? language.operators.get(atom.name) : undefined;
  if (operator === undefined || atom.kind !== 'operator') return undefined;
  const only = knownValue(operator, atom)?.only ?? operator.only;
  if (only === undefined || (only === 'negated') === negated) return undefined;
  return faultAt(atom.at, `${print(atom).toLowerCase()} must ${negated ? 'not ' : ''}be negated`);
}

const TERM_RULES: readonly TermRule[] = [ambiguousKeyword, unavailableOperator, wrongSign];
