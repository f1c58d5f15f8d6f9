import type { AccessLevel, Track } from '../core/access.js';
import type { OperatorAtom, OperatorValue } from './ast.js';
import type { Predicate } from './conditions.js';

/** What an operator's value means, or what is wrong with it, told after the operator's name. */
export type Reading = { readonly test: Predicate } | { readonly fault: string };

/** Recent or full-archive search and counts. */
export type SearchProduct = 'recent' | 'all';

interface KnownValue {
  readonly test: Predicate;
  readonly advanced?: boolean;
}

/** One operator of a query language (docs/api/search.md#operators). */
export interface Operator {
  /** May stand alone; the others need a positive one that may. */
  readonly standalone: boolean;
  /** Needs Elevated access or the research track. */
  readonly advanced?: boolean;
  /** Known to no other product. */
  readonly onlyIn?: SearchProduct;
  /** The known values, where they are few and named in faults as `name:value`; in lower case. */
  readonly values?: ReadonlyMap<string, KnownValue>;
  /** Reads a value; for operators without `values`. */
  readonly read?: (value: OperatorValue) => Reading;
}

/** The operators of a query language by name and alias, in lower case; stream rules know another set. */
export type OperatorSet = ReadonlyMap<string, Operator>;

/** Who asks, and what is asked: decides on operators and length. */
export interface QueryAccess {
  readonly level: AccessLevel;
  readonly track: Track;
  readonly product: SearchProduct;
}

/** Whether advanced operators are available (docs/api/authentication.md#levels-and-tracks). */
export function hasAdvancedOperators({ level, track }: QueryAccess): boolean {
  return level === 'elevated' || track === 'academic_research';
}

/** Which of the few known values an operator was given; brackets are around none of them. */
export function knownValue(
  { values }: Operator,
  { value: { form, text } }: OperatorAtom,
): KnownValue | undefined {
  return form === 'brackets' ? undefined : values?.get(text.toLowerCase());
}

/** What an atom's operator and value mean. */
export function readOperator(operator: Operator, atom: OperatorAtom): Reading {
  const known = knownValue(operator, atom);
  if (known !== undefined) return known;
  return operator.read?.(atom.value) ?? { fault: `value [${atom.value.text}] is not known` };
}
