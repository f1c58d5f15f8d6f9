import type { Operator, OperatorSet, SearchProduct } from './operator-set.js';

/** An operator with its names; those after the first are other spellings. */
export interface ExplainedOperator<P> {
  readonly names: readonly string[];
  readonly operator: Operator<P>;
}

/** Returns each operator of a language once; with a product, those that are available in it. */
export function explainedOperators<P>(
  operators: OperatorSet<P>,
  product?: SearchProduct,
): ExplainedOperator<P>[] {
  const names = new Map<Operator<P>, string[]>();
  for (const [name, operator] of operators) {
    const known = names.get(operator);
    if (known) known.push(name);
    else names.set(operator, [name]);
  }
  return [...names]
    .map(([operator, each]) => ({ names: each, operator }))
    .filter(({ operator: { onlyIn = product } }) => onlyIn === product || product === undefined);
}

/** What a query can say without operators, by examples. */
export const EXPLAINED_TERMS: readonly (readonly [example: string, meaning: string])[] = [
  ['heron pond', 'both words, in any order'],
  ['heron OR egret', 'one of them; OR in capitals'],
  ['heron OR egret pond', 'the same as heron OR (egret pond): words side by side bind tighter'],
  ['(heron OR egret) pond', 'parentheses change that'],
  ['"grey heron"', 'the words in this order'],
  ['heron -pond', 'without the second word'],
  ['heron -(is:retweet OR is:reply)', 'without a group'],
  ['#tides', 'a hashtag'],
  ['@maya', 'a mention'],
  ['$TIDE', 'a cashtag'],
  ['🐟', 'an emoji'],
];
