import type { AccessLevel, Track } from '../core/access.js';
import type { OperatorAtom, OperatorValue } from './ast.js';
import type { Predicate } from './conditions.js';

/** The meaning of an operator's value, or its fault, to follow the operator's name. */
export type Reading = { readonly test: Predicate } | { readonly fault: string };

/** Recent or full-archive search and counts. */
export type SearchProduct = 'recent' | 'all';

interface KnownValue {
  readonly test: Predicate;
  readonly advanced?: boolean;
}

/** An operator of a query language (docs/api/search.md#operators). */
export interface Operator {
  /** Whether it may stand alone; others need a positive standalone operator. */
  readonly standalone: boolean;
  /** Needs Elevated access or the research track. */
  readonly advanced?: boolean;
  /** Available in this product only. */
  readonly onlyIn?: SearchProduct;
  /** The known values in lower case, if they are few and faults name them as `name:value`. */
  readonly values?: ReadonlyMap<string, KnownValue>;
  /** Parses a value; for operators without `values`. */
  readonly read?: (value: OperatorValue) => Reading;
}

/** The operators of a query language by name and alias, in lower case; stream rules have a different set. */
export type OperatorSet = ReadonlyMap<string, Operator>;

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
export function knownValue(
  { values }: Operator,
  { value: { form, text } }: OperatorAtom,
): KnownValue | undefined {
  return form === 'brackets' ? undefined : values?.get(text.toLowerCase());
}

/** Interprets an atom's operator and value. */
export function readOperator(operator: Operator, atom: OperatorAtom): Reading {
  const known = knownValue(operator, atom);
  if (known !== undefined) return known;
  return operator.read?.(atom.value) ?? { fault: `value [${atom.value.text}] is not known` };
}
