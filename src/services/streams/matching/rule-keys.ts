import type { Selection } from '../../../query/selection.js';
import { FACET, URL_PREFIX } from '../../search/facets.js';
import type { RuleLeaf } from './rule-leaves.js';

/** Terms of which every match of a rule has at least one, and an estimate of how many posts have one of them. */
export interface RuleKeys {
  readonly terms: readonly string[];
  readonly cost: number;
}

/**
 * Returns the keys of a rule that the fewest posts have; undefined if no terms are required, as for a rule about the
 * author's followers alone.
 */
export function keysOf(rule: Selection<RuleLeaf>): RuleKeys | undefined {
  switch (rule.kind) {
    case 'only':
      return keysOfLeaf(rule.leaf);
    case 'all':
      return cheapest(rule.of.map(keysOf));
    case 'any':
      return union(rule.of.map(keysOf));
    case 'except':
      return keysOf(rule.from);
  }
}

function cheapest(options: readonly (RuleKeys | undefined)[]): RuleKeys | undefined {
  return options.reduce((best, keys) => (keys && (!best || keys.cost < best.cost) ? keys : best), undefined);
}

function union(parts: readonly (RuleKeys | undefined)[]): RuleKeys | undefined {
  const terms = new Set<string>();
  let cost = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const term of part.terms) terms.add(term);
    cost += part.cost;
  }
  return { terms: [...terms], cost };
}

function keysOfLeaf(leaf: RuleLeaf): RuleKeys | undefined {
  switch (leaf.kind) {
    case 'phrase':
      return keysOfPhrase(leaf.tokens, leaf.lastIsPrefix);
    case 'near':
      return cheapest(leaf.tokens.map(keysOfToken));
    case 'facets':
      return { terms: leaf.anyOf, cost: leaf.anyOf.reduce((sum, facet) => sum + costOfFacet(facet), 0) };
    case 'checked':
      return leaf.condition.kind === 'point-radius' || leaf.condition.kind === 'bounding-box'
        ? keysOfFacet(FACET.has('geo'))
        : undefined;
    case 'address-part':
      return keysOfFacet(FACET.has('links'));
    case 'author-count':
      return undefined;
  }
}

const keysOfFacet = (facet: string): RuleKeys => ({ terms: [facet], cost: costOfFacet(facet) });
const keysOfToken = (token: string): RuleKeys => ({ terms: [token], cost: costOfToken(token) });

function keysOfPhrase(tokens: readonly string[], lastIsPrefix: boolean): RuleKeys | undefined {
  const whole = lastIsPrefix ? tokens.slice(0, -1) : tokens;
  if (whole.length > 0) return cheapest(whole.map(keysOfToken));
  const [prefix = ''] = tokens;
  return { terms: [prefixKey(prefix)], cost: PREFIX_COST };
}

/** Returns the key of all tokens that begin with a character; it collides with no term. */
export function prefixKey(token: string): string {
  return `${token} `;
}

/** Estimates, in posts of a thousand. */
const PREFIX_COST = 20;
const RARE_COST = 1;
const COMMON_COST = 300;
const COST_OF_FACET: ReadonlyMap<string, number> = new Map([
  ['is', COMMON_COST],
  ['has', COMMON_COST],
  ['lang', COMMON_COST],
  ['cc', 50],
  ['ctxd', 50],
  ['sample', 10],
]);

function costOfFacet(facet: string): number {
  return COST_OF_FACET.get(facet.slice(0, facet.indexOf(':'))) ?? RARE_COST;
}

/** Parts of most addresses. */
const COMMON_IN_URLS: ReadonlySet<string> = new Set(
  ['http', 'https', 'www', 't', 'co', 'com', 'org', 'net', 'html'].map((part) => URL_PREFIX + part),
);
const SHORT_WORD_COST = 200;

/** Longer words are rarer. */
function costOfToken(token: string): number {
  if (COMMON_IN_URLS.has(token)) return COMMON_COST;
  const word = token.slice(token.indexOf(':') + 1);
  return Math.max(RARE_COST, SHORT_WORD_COST / word.length ** 2);
}
