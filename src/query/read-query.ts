import { countCodePoints } from '../core/unicode.js';
import { type PipitError, invalidRequest } from '../core/errors.js';
import type { Syntax, Atom, OperatorAtom } from './ast.js';
import { check } from './check.js';
import type { SearchExpression, Predicate } from './conditions.js';
import { type Fault, faultMessage, faultAt } from './fault.js';
import { type OperatorSet, type QueryAccess, readOperator } from './operator-set.js';
import { parse } from './parser.js';
import { SEARCH_OPERATORS } from './search-operators.js';
import { foldText } from '../core/search-text/fold.js';
import { phraseOf } from '../core/search-text/tokenize.js';
import { print } from './print.js';

/** The access and product; other options have defaults. */
export interface ReadOptions extends QueryAccess {
  /** In code points; by default the limit of product and track. */
  readonly maxLength?: number;
  /** By default the operators of search. */
  readonly operators?: OperatorSet;
}

/** A valid query, or the error message for the client. */
export type QueryReading =
  | { readonly ok: true; readonly expression: SearchExpression; readonly syntax: Syntax }
  | { readonly ok: false; readonly message: string };

/** docs/api/errors.md#validation-messages, "required missing". */
const EMPTY = 'The `query` query parameter can not be empty';

/**
 * Parses and checks a query of search or counts (docs/api/search.md). Never throws and takes linear time; overlong
 * queries are not parsed.
 */
export function readQuery(text: string, options: ReadOptions): QueryReading {
  const { operators = SEARCH_OPERATORS, maxLength = maxQueryLength(options) } = options;
  if (text.trim() === '') return { ok: false, message: EMPTY };
  const tooLong = lengthFault(text, maxLength);
  if (tooLong !== undefined) return refused([tooLong]);
  const parsed = parse(text);
  if (!parsed.ok) return refused(parsed.faults);
  const { syntax } = parsed;
  const faults = check({ syntax, operators, access: options });
  if (faults.length > 0) return refused(faults);
  const { expression, faults: valueFaults } = resolve(syntax, operators);
  return valueFaults.length === 0 ? { ok: true, expression, syntax } : refused(valueFaults);
}

/** Returns the 400 for a refused query, with the raw query. */
export function refusedQuery(text: string, message: string): PipitError {
  return invalidRequest('query', [text], message);
}

function refused(faults: readonly Fault[]): QueryReading {
  return { ok: false, message: faultMessage(faults) };
}

/**
 * Returns the maximum query length in code points (docs/api/search.md#window, docs/api/search.md#counts,
 * docs/api/authentication.md#levels-and-tracks).
 */
function maxQueryLength({ product, track }: Pick<QueryAccess, 'product' | 'track'>): number {
  return product === 'all' || track === 'academic_research' ? 1024 : 512;
}

/** Returns the fault of a query that is too long, or undefined. */
function lengthFault(query: string, maximum: number): Fault | undefined {
  const length = countCodePoints(query);
  if (length <= maximum) return undefined;
  return `Rule length exceeds limit: ${String(length)} characters, maximum ${String(maximum)}`;
}

/** A query with interpreted values, or their faults. */
interface Resolved {
  /** Meaningless if there are faults. */
  readonly expression: SearchExpression;
  readonly faults: readonly Fault[];
}

/** Interprets the atoms of a checked query and collects the faults of values, in the order of the query. */
function resolve(syntax: Syntax, operators: OperatorSet): Resolved {
  const faults: Fault[] = [];
  return { expression: resolveNode(syntax, operators, faults), faults };
}

function resolveNode(syntax: Syntax, operators: OperatorSet, faults: Fault[]): SearchExpression {
  const resolved = (part: Syntax): SearchExpression => resolveNode(part, operators, faults);
  if ('operands' in syntax) return { ...syntax, operands: syntax.operands.map(resolved) };
  if ('operand' in syntax) return { ...syntax, operand: resolved(syntax.operand) };
  return { ...predicateOf(syntax, operators, faults), at: syntax.at };
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
