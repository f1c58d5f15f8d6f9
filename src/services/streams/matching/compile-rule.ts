import type { TokenPhrase } from '../../../core/search-text/tokenize.js';
import type { RuleOnlyPredicate } from '../../../query/rule-conditions.js';
import type { Selection } from '../../../query/selection.js';
import { holds, passes } from '../../search/candidate.js';
import type { RuleLeaf } from './rule-leaves.js';
import type { RulePost } from './rule-post.js';

/** Reports whether a post matches. */
export type RuleTest = (post: RulePost) => boolean;

/** Compiles a rule to a function, which is called for every post that has one of the rule's keys. */
export function compileRule(rule: Selection<RuleLeaf>): RuleTest {
  switch (rule.kind) {
    case 'only':
      return compileLeaf(rule.leaf);
    case 'all': {
      const tests = rule.of.map(compileRule);
      return (post) => tests.every((test) => test(post));
    }
    case 'any': {
      const tests = rule.of.map(compileRule);
      return (post) => tests.some((test) => test(post));
    }
    case 'except': {
      const [from, without] = [compileRule(rule.from), compileRule(rule.without)];
      return (post) => from(post) && !without(post);
    }
  }
}

function compileLeaf(leaf: RuleLeaf): RuleTest {
  switch (leaf.kind) {
    case 'phrase':
      return compilePhrase(leaf);
    case 'facets': {
      const { anyOf } = leaf;
      return ({ facets }) => anyOf.some((facet) => facets.has(facet));
    }
    case 'checked': {
      const { condition } = leaf;
      return (post) => passes(post, condition);
    }
    case 'near':
      return (post) => isNear(post, leaf);
    case 'address-part':
      return ({ addresses }) => addresses.some((address) => address.includes(leaf.text));
    case 'author-count':
      return ({ authorCounts }) =>
        authorCounts[leaf.counted] >= leaf.least && authorCounts[leaf.counted] <= leaf.most;
  }
}

/** Looks up whole tokens before it compares positions. */
function compilePhrase(phrase: TokenPhrase): RuleTest {
  const whole = phrase.lastIsPrefix ? phrase.tokens.slice(0, -1) : phrase.tokens;
  const hasWhole: RuleTest = ({ terms }) => whole.every((token) => terms.has(token));
  if (phrase.tokens.length === 1 && !phrase.lastIsPrefix) return hasWhole;
  return (post) => hasWhole(post) && holds(post, phrase);
}

type Near = Extract<RuleOnlyPredicate, { readonly kind: 'near' }>;

/**
 * Reports whether a run has all tokens within the distance. Each occurrence of the nth token is moved n places to the
 * front: tokens in their order and side by side then meet, and their spread is the number of steps between them
 * (docs/api/streams.md#rules). Takes linear time.
 */
function isNear({ terms, runs }: RulePost, { tokens, distance }: Near): boolean {
  if (!tokens.every((token) => terms.has(token))) return false;
  const places = new Map(tokens.map((token, index) => [token, index]));
  return runs.some((run) => spreadsAtMost(run, places, distance));
}

function spreadsAtMost(
  run: readonly string[],
  places: ReadonlyMap<string, number>,
  distance: number,
): boolean {
  const moved: [at: number, place: number][] = [];
  for (const [index, token] of run.entries()) {
    const place = places.get(token);
    if (place !== undefined) moved.push([index - place, place]);
  }
  moved.sort(([one], [other]) => one - other);
  const within = new Map<number, number>();
  let first = 0;
  for (const [at, place] of moved) {
    within.set(place, (within.get(place) ?? 0) + 1);
    for (
      let oldest = moved[first];
      oldest !== undefined && at - oldest[0] > distance;
      oldest = moved[first]
    ) {
      first += 1;
      const left = (within.get(oldest[1]) ?? 0) - 1;
      if (left === 0) within.delete(oldest[1]);
      else within.set(oldest[1], left);
    }
    if (within.size === places.size) return true;
  }
  return false;
}
