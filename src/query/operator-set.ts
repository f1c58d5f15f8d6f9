import type { AccessLevel, Track } from '../core/access.js';
import type { Fold } from '../core/search-text/fold.js';
import type { OperatorAtom, OperatorValue } from './ast.js';
import type { CommonPredicate } from './conditions.js';

/** The meaning of an operator's value, or its fault, to follow the operator's name. */
export type Reading<P = CommonPredicate> = { readonly test: P } | { readonly fault: string };

/** Interprets a value; `fold` folds its words. */
export type ValueReader<P = CommonPredicate> = (value: OperatorValue, fold: Fold) => Reading<P>;

/** Recent or full-archive search and counts. */
export type SearchProduct = 'recent' | 'all';

/** One of the few values of an operator. */
export interface KnownValue<P> {
  readonly test: P;
  /** What it finds, in a few words. */
  readonly meaning: string;
  readonly advanced?: boolean;
  readonly only?: Sign;
}

/** Whether a term is negated. */
export type Sign = 'positive' | 'negated';

/**
 * An operator of a query language whose conditions are `P` (docs/api/search.md#operators, docs/api/streams.md#rules).
 */
export interface Operator<P = CommonPredicate> {
  /** What it finds, in a few words. */
  readonly meaning: string;
  /** A valid query that uses it. */
  readonly example: string;
  /** Whether it may stand alone; others need a positive standalone operator. */
  readonly standalone: boolean;
  /** The only sign it may have; both if absent. */
  readonly only?: Sign;
  /** Needs Elevated access or the research track. */
  readonly advanced?: boolean;
  /** Available in this product only. */
  readonly onlyIn?: SearchProduct;
  /** The known values in lower case, if they are few and faults name them as `name:value`. */
  readonly values?: ReadonlyMap<string, KnownValue<P>>;
  /** What completes a value that is being typed; known values complete by themselves. */
  readonly completes?: 'user' | 'language';
  /** Parses a value; for operators without `values`. */
  readonly read?: ValueReader<P>;
}

/** The operators of a query language by name and alias, in lower case. */
export type OperatorSet<P = CommonPredicate> = ReadonlyMap<string, Operator<P>>;

/** The requester's access and the product, which determine operators and length. */
export interface QueryAccess {
  readonly level: AccessLevel;
  readonly track: Track;
  readonly product: SearchProduct;
}

/** Reports whether advanced operators are available (docs/api/authentication.md#levels-and-tracks). */
export function hasAdvancedOperators({ level, track }: QueryAccess): boolean {
  return level === 'elevated' || track === 'academic_research';
}

/** Returns the known value of an operator; none is in brackets. */
export function knownValue<P>(
  { values }: Operator<P>,
  { value: { form, text } }: OperatorAtom,
): KnownValue<P> | undefined {
  return form === 'brackets' ? undefined : values?.get(text.toLowerCase());
}

/** Interprets an atom's operator and value. */
export function readOperator<P>(operator: Operator<P>, atom: OperatorAtom, fold: Fold): Reading<P> {
  const known = knownValue(operator, atom);
  if (known !== undefined) return known;
  return operator.read?.(atom.value, fold) ?? { fault: `value [${atom.value.text}] is not known` };
}
