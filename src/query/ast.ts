/** The position of a node's text: code points from the query's start, counted from 1. */
interface Positioned {
  readonly at: number;
}

/** All operands must match. At least two. */
export interface And<Leaf> extends Positioned {
  readonly kind: 'and';
  readonly operands: readonly Expression<Leaf>[];
}

/** Any operand must match. At least two. */
export interface Or<Leaf> extends Positioned {
  readonly kind: 'or';
  readonly operands: readonly Expression<Leaf>[];
}

export interface Not<Leaf> extends Positioned {
  readonly kind: 'not';
  readonly operand: Expression<Leaf>;
}

/**
 * A boolean expression over leaves. Expressions from the parser are flat: no `and` directly in an `and`, no
 * `or` directly in an `or`, no groups of one.
 */
export type Expression<Leaf> = Leaf | And<Leaf> | Or<Leaf> | Not<Leaf>;

/** The value of an operator and its form: bare, in double quotes (removed here) or in square brackets. */
export interface OperatorValue {
  readonly form: 'word' | 'quoted' | 'brackets';
  readonly text: string;
}

/** `name:value`; the name is in lower case and may be unknown. */
export interface OperatorAtom extends Positioned {
  readonly kind: 'operator';
  readonly name: string;
  readonly value: OperatorValue;
}

/** The atoms of a query, before operators are interpreted (docs/api/search.md#grammar). */
export type Atom =
  | (Positioned & { readonly kind: 'keyword' | 'phrase'; readonly text: string })
  | (Positioned & { readonly kind: 'near'; readonly text: string; readonly distance: number })
  | (Positioned & { readonly kind: 'hashtag' | 'cashtag' | 'mention'; readonly name: string })
  | OperatorAtom;

/** The syntax tree of a query. */
export type Syntax = Expression<Atom>;

/** Calls back for each leaf in the order of the query, with its polarity under De Morgan's laws. */
export function eachLeaf<Leaf extends { readonly kind: string }>(
  expression: Expression<Leaf>,
  visit: (leaf: Leaf, negated: boolean) => void,
  negated = false,
): void {
  if (isAnd(expression) || isOr(expression)) {
    for (const operand of expression.operands) eachLeaf(operand, visit, negated);
  } else if (isNot(expression)) eachLeaf(expression.operand, visit, !negated);
  else visit(expression, negated);
}

export function isAnd<Leaf extends { readonly kind: string }>(
  expression: Expression<Leaf>,
): expression is And<Leaf> {
  return expression.kind === 'and';
}

export function isOr<Leaf extends { readonly kind: string }>(
  expression: Expression<Leaf>,
): expression is Or<Leaf> {
  return expression.kind === 'or';
}

export function isNot<Leaf extends { readonly kind: string }>(
  expression: Expression<Leaf>,
): expression is Not<Leaf> {
  return expression.kind === 'not';
}
