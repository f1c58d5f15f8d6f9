import { foldText } from '../core/search-text/fold.js';
import { phraseOf } from '../core/search-text/tokenize.js';
import type { Atom, OperatorAtom, Syntax } from './ast.js';
import type { SearchExpression, Predicate } from './conditions.js';
import type { Fault } from './fault.js';
import { faultAt } from './fault.js';
import type { OperatorSet } from './operator-set.js';
import { readOperator } from './operator-set.js';
import { print } from './print.js';

/** A query with interpreted values, or their faults. */
export interface Resolved {
  /** Meaningless if there are faults. */
  readonly expression: SearchExpression;
  readonly faults: readonly Fault[];
}

/** Interprets the atoms of a checked query and collects the faults of values, in the order of the query. */
export function resolve(syntax: Syntax, operators: OperatorSet): Resolved {
  const faults: Fault[] = [];
  return { expression: resolveNode(syntax, operators, faults), faults };
}

function resolveNode(syntax: Syntax, operators: OperatorSet, faults: Fault[]): SearchExpression {
  switch (syntax.kind) {
    case 'and':
    case 'or':
      return {
        ...syntax,
        operands: syntax.operands.map((operand) => resolveNode(operand, operators, faults)),
      };
    case 'not':
      return { ...syntax, operand: resolveNode(syntax.operand, operators, faults) };
    case 'keyword':
    case 'phrase':
    case 'hashtag':
    case 'cashtag':
    case 'mention':
    case 'operator':
      return { ...predicateOf(syntax, operators, faults), at: syntax.at };
  }
}

const NOTHING: Predicate = { kind: 'text', phrase: { tokens: [], lastIsPrefix: false } };

function predicateOf(atom: Atom, operators: OperatorSet, faults: Fault[]): Predicate {
  switch (atom.kind) {
    case 'keyword':
    case 'phrase': {
      const phrase = phraseOf(atom.text);
      if (phrase !== undefined) return { kind: 'text', phrase };
      faults.push(faultAt(atom.at, `no viable alternative at input '${print(atom)}'`));
      return NOTHING;
    }
    case 'hashtag':
    case 'cashtag':
      return { kind: atom.kind, tag: foldText(atom.name) };
    case 'mention':
      return { kind: 'mention', username: atom.name.toLowerCase() };
    case 'operator':
      return operatorPredicate(atom, operators, faults);
  }
}

function operatorPredicate(atom: OperatorAtom, operators: OperatorSet, faults: Fault[]): Predicate {
  const operator = operators.get(atom.name);
  if (operator === undefined) return NOTHING;
  const reading = readOperator(operator, atom);
  if ('test' in reading) return reading.test;
  faults.push(faultAt(atom.at, `${atom.name}: ${reading.fault}`));
  return NOTHING;
}
