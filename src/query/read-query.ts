import { countCodePoints } from '../core/unicode.js';
import { type PipitError, invalidRequest } from '../core/errors.js';
import { phraseOf } from '../core/search-text/tokenize.js';
import type { Syntax, Atom, Expression, OperatorAtom } from './ast.js';
import { check } from './check.js';
import type { CommonPredicate, Positioned, Predicate } from './conditions.js';
import { type Fault, faultMessage, faultAt } from './fault.js';
import type { QueryLanguage } from './language.js';
import { type QueryAccess, type Reading, readOperator } from './operator-set.js';
import { parse } from './parser.js';
import { print } from './print.js';
import type { RulePredicate } from './rule-conditions.js';
import { RULE_LANGUAGE } from './rule-operators.js';
import { SEARCH_LANGUAGE } from './search-operators.js';

/** The access and product; other options have defaults. */
export interface ReadOptions extends QueryAccess {
  /** In code points; by default the limit of product and track. */
  readonly maxLength?: number;
}

/** A valid query, or its faults and the error message for the client. */
export type QueryReading<P = Predicate> =
  | { readonly ok: true; readonly expression: Expression<Positioned<P>>; readonly syntax: Syntax }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly message: string };

/** docs/api/errors.md#validation-messages, "required missing". */
const EMPTY = 'The `query` query parameter can not be empty';

/**
 * Parses and checks a query of search or counts (docs/api/search.md). Never throws and takes linear time; overlong
 * queries are not parsed.
 */
export function readQuery(text: string, options: ReadOptions): QueryReading {
  if (text.trim() === '') return { ok: false, faults: [EMPTY], message: EMPTY };
  return read(text, SEARCH_LANGUAGE, options.maxLength ?? maxQueryLength(options), options);
}

/**
 * Parses and checks a stream rule of at most `maxLength` code points (docs/api/streams.md#rules). Never throws and
 * takes linear time.
 */
export function readRule(text: string, maxLength: number): QueryReading<RulePredicate> {
  return read(text, RULE_LANGUAGE, maxLength);
}

/** Without `access`, every operator of the language is available. */
function read<P extends { readonly kind: string }>(
  text: string,
  language: QueryLanguage<P | CommonPredicate>,
  maxLength: number,
  access?: QueryAccess,
): QueryReading<P | CommonPredicate> {
  const tooLong = lengthFault(text, maxLength);
  if (tooLong !== undefined) return refused([tooLong]);
  const parsed = parse(text, { hasDistances: language.near !== undefined });
  if (!parsed.ok) return refused(parsed.faults);
  const { syntax } = parsed;
  const faults = check({ syntax, language, access });
  if (faults.length > 0) return refused(faults);
  const { expression, faults: valueFaults } = resolve(syntax, language);
  return valueFaults.length === 0 ? { ok: true, expression, syntax } : refused(valueFaults);
}

/** Returns the 400 for a refused query, with the raw query. */
export function refusedQuery(text: string, message: string): PipitError {
  return invalidRequest('query', [text], message);
}

function refused(faults: readonly Fault[]): QueryReading<never> {
  return { ok: false, faults, message: faultMessage(faults) };
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
interface Resolved<P> {
  /** Meaningless if there are faults. */
  readonly expression: Expression<Positioned<P>>;
  readonly faults: readonly Fault[];
}

/** Interprets the atoms of a checked query and collects the faults of values, in the order of the query. */
function resolve<P>(
  syntax: Syntax,
  language: QueryLanguage<P | CommonPredicate>,
): Resolved<P | CommonPredicate> {
  const faults: Fault[] = [];
  const node = (part: Syntax): Expression<Positioned<P | CommonPredicate>> => {
    if ('operands' in part) return { ...part, operands: part.operands.map(node) };
    if ('operand' in part) return { ...part, operand: node(part.operand) };
    const reading = readAtom(part, language);
    if ('test' in reading) return { at: part.at, ...reading.test };
    faults.push(faultAt(part.at, reading.fault));
    return { at: part.at, ...NOTHING };
  };
  return { expression: node(syntax), faults };
}

const NOTHING: CommonPredicate = { kind: 'text', phrase: { tokens: [], lastIsPrefix: false } };

/** Returns the condition of an atom, or its fault without the position. */
function readAtom<P>(atom: Atom, language: QueryLanguage<P | CommonPredicate>): Reading<P | CommonPredicate> {
  const { fold } = language;
  switch (atom.kind) {
    case 'keyword':
    case 'phrase': {
      const phrase = phraseOf(atom.text, fold);
      if (phrase !== undefined) return { test: { kind: 'text', phrase } };
      return { fault: `no viable alternative at input '${print(atom)}'` };
    }
    case 'near':
      return named(print(atom), language.near?.(atom.text, atom.distance));
    case 'hashtag':
    case 'cashtag':
      return { test: { kind: atom.kind, tag: fold(atom.name) } };
    case 'mention':
      return { test: { kind: 'mention', username: atom.name.toLowerCase() } };
    case 'operator':
      return named(atom.name, readValue(atom, language));
  }
}

function readValue<P>(atom: OperatorAtom, { operators, fold }: QueryLanguage<P>): Reading<P> | undefined {
  const operator = operators.get(atom.name);
  return operator && readOperator(operator, atom, fold);
}

/** Puts the name of an operator before its fault. */
function named<P>(name: string, reading: Reading<P> = { fault: 'is not known' }): Reading<P> {
  return 'test' in reading ? reading : { fault: `${name}: ${reading.fault}` };
}
