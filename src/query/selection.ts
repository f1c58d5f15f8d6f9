import { type Expression, isAnd, isNot, isOr } from './ast.js';

/**
 * A selection without bare negation, the form of index expressions, in which negation is only "but not". Lists have
 * at least two members.
 */
export type Selection<Leaf> =
  | { readonly kind: 'only'; readonly leaf: Leaf }
  | { readonly kind: 'all'; readonly of: readonly Selection<Leaf>[] }
  | { readonly kind: 'any'; readonly of: readonly Selection<Leaf>[] }
  | { readonly kind: 'except'; readonly from: Selection<Leaf>; readonly without: Selection<Leaf> };

/** Returns a selection of one leaf. */
export function only<Leaf>(leaf: Leaf): Selection<Leaf> {
  return { kind: 'only', leaf };
}

/** A selection or its complement. */
interface Signed<Leaf> {
  readonly negated: boolean;
  readonly selection: Selection<Leaf>;
}

/**
 * Converts an expression to a selection, with `leaf` for each of its leaves. Returns undefined if it selects a
 * complement, which a checked query never does: each of its branches contains a positive term
 * (docs/api/search.md#grammar).
 */
export function selectionOf<From extends { readonly kind: string }, To>(
  expression: Expression<From>,
  leaf: (from: From) => Selection<To>,
): Selection<To> | undefined {
  const { negated, selection } = signed(expression, leaf);
  return negated ? undefined : selection;
}

/** Replaces each leaf of a selection with another selection. */
export function mapLeaves<From, To>(
  selection: Selection<From>,
  map: (leaf: From) => Selection<To>,
): Selection<To> {
  switch (selection.kind) {
    case 'only':
      return map(selection.leaf);
    case 'all':
    case 'any':
      return { kind: selection.kind, of: selection.of.map((part) => mapLeaves(part, map)) };
    case 'except':
      return {
        kind: 'except',
        from: mapLeaves(selection.from, map),
        without: mapLeaves(selection.without, map),
      };
  }
}

function signed<From extends { readonly kind: string }, To>(
  expression: Expression<From>,
  leaf: (from: From) => Selection<To>,
): Signed<To> {
  if (isNot(expression)) {
    const { negated, selection } = signed(expression.operand, leaf);
    return { negated: !negated, selection };
  }
  if (!isAnd(expression) && !isOr(expression)) {
    return { negated: false, selection: leaf(expression) };
  }
  const operands = expression.operands.map((operand) => signed(operand, leaf));
  const positive = operands.filter(({ negated }) => !negated).map(({ selection }) => selection);
  const negative = operands.filter(({ negated }) => negated).map(({ selection }) => selection);
  return isAnd(expression) ? conjunction(positive, negative) : disjunction(positive, negative);
}

/** p ∧ ¬n is p without n; ¬a ∧ ¬b is ¬(a ∨ b). */
function conjunction<Leaf>(positive: Selection<Leaf>[], negative: Selection<Leaf>[]): Signed<Leaf> {
  if (positive.length === 0) return { negated: true, selection: joined('any', negative) };
  return { negated: false, selection: except(joined('all', positive), negative) };
}

/** p ∨ ¬n is ¬(n without p); ¬a ∨ ¬b is ¬(a ∧ b). */
function disjunction<Leaf>(positive: Selection<Leaf>[], negative: Selection<Leaf>[]): Signed<Leaf> {
  if (negative.length === 0) return { negated: false, selection: joined('any', positive) };
  return { negated: true, selection: except(joined('all', negative), positive) };
}

function except<Leaf>(from: Selection<Leaf>, without: readonly Selection<Leaf>[]): Selection<Leaf> {
  return without.length === 0 ? from : { kind: 'except', from, without: joined('any', without) };
}

function joined<Leaf>(kind: 'all' | 'any', of: readonly Selection<Leaf>[]): Selection<Leaf> {
  const [first] = of;
  return first !== undefined && of.length === 1 ? first : { kind, of };
}
