import { samplePercentile } from '../../core/id-shares.js';
import type { PostFeature, PostFlag } from '../../query/conditions.js';
import type { PostId } from '../../core/ids.js';

/** Facets, spelled the same in documents and queries (database/search.ts). */
export const FACET = {
  from: (userId: bigint | string) => `from:${userId}`,
  to: (userId: bigint | string) => `to:${userId}`,
  repostsOfUser: (userId: bigint | string) => `rtu:${userId}`,
  replyTo: (postId: bigint) => `re:${postId}`,
  repostOf: (postId: bigint) => `rt:${postId}`,
  quoteOf: (postId: bigint) => `qt:${postId}`,
  conversation: (postId: bigint) => `conv:${postId}`,
  hashtag: (tag: string) => `tag:${escaped(tag)}`,
  cashtag: (tag: string) => `cash:${escaped(tag)}`,
  mention: (username: string) => `at:${escaped(username)}`,
  domain: (id: string) => `ctxd:${escaped(id)}`,
  entity: (id: string) => `ctxe:${escaped(id)}`,
  context: (domainId: string, entityId: string) => `ctx:${escaped(domainId)}:${escaped(entityId)}`,
  source: (name: string) => `source:${escaped(name)}`,
  list: (listId: bigint) => `list:${listId}`,
  named: (name: string) => `name:${escaped(name)}`,
  place: (id: string) => `place:${escaped(id)}`,
  country: (code: string) => `cc:${escaped(code)}`,
  lang: (code: string) => `lang:${escaped(code)}`,
  is: (flag: PostFlag) => `is:${flag}`,
  has: (feature: PostFeature) => `has:${feature}`,
  sample: (percentile: number) => `sample:${percentile}`,
} as const;

/** Marks posts whose id does not encode their time; search checks their rows instead (walk.ts). */
export const UNTIMED = 'untimed:1';

/** Prefixes for tokens of URLs and places, so that words of the text do not match them. */
export const URL_PREFIX = 'u:';
export const PLACE_PREFIX = 'p:';

const PERCENTILES = 100;

/** Returns the facets of posts below a percentile. Each post has exactly one of the hundred sample facets. */
export function sampleFacets(percent: number): string[] {
  return Array.from({ length: Math.min(percent, PERCENTILES) }, (_, percentile) => FACET.sample(percentile));
}

export function sampleFacetOf(id: PostId): string {
  return FACET.sample(samplePercentile(id));
}

/** Longer tokens are truncated, in documents and queries alike, because engines limit token length. */
const MAX_TOKEN_UNITS = 500;

export function boundedToken(token: string): string {
  return token.length <= MAX_TOKEN_UNITS ? token : token.slice(0, MAX_TOKEN_UNITS);
}

/** Converts to lower case and percent-encodes ASCII signs and spaces. */
function escaped(value: string): string {
  const text = value
    .toLowerCase()
    .replace(/[^a-z0-9_\u0080-\uffff]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return boundedToken(text);
}
