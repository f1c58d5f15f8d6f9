import { samplePercentile } from '../../query/sample.js';
import type { PostFeature, PostFlag } from '../../query/conditions.js';
import type { PostId } from '../../core/ids.js';

/** What posts are found by as a whole, spelled one way for documents and for queries (database/search.ts). */
export const FACET = {
  from: (userId: bigint | string) => `from:${userId}`,
  to: (userId: bigint) => `to:${userId}`,
  repostsOfUser: (userId: bigint) => `rtu:${userId}`,
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
  named: (name: string) => `name:${escaped(name)}`,
  place: (id: string) => `place:${escaped(id)}`,
  country: (code: string) => `cc:${escaped(code)}`,
  lang: (code: string) => `lang:${escaped(code)}`,
  is: (flag: PostFlag) => `is:${flag}`,
  has: (feature: PostFeature) => `has:${feature}`,
  sample: (percentile: number) => `sample:${percentile}`,
} as const;

/** The post's time is not the one in its id: it is found by looking at its row (walk.ts). */
export const UNTIMED = 'untimed:1';

/** What the tokens of addresses and of places begin with, so that words of the text do not find them. */
export const URL_PREFIX = 'u:';
export const PLACE_PREFIX = 'p:';

const PERCENTILES = 100;

/** The facets of posts below a percentile; each post has one of all hundred. */
export function sampleFacets(percent: number): string[] {
  return Array.from({ length: Math.min(percent, PERCENTILES) }, (_, percentile) => FACET.sample(percentile));
}

export function sampleFacetOf(id: PostId): string {
  return FACET.sample(samplePercentile(id));
}

/** What is longer is cut, in documents and in queries: engines limit what they index. */
const MAX_TOKEN_UNITS = 500;

export function boundedToken(token: string): string {
  return token.length <= MAX_TOKEN_UNITS ? token : token.slice(0, MAX_TOKEN_UNITS);
}

/** Lower case; signs and blanks of ASCII as `%` and two hexadecimal digits. */
function escaped(value: string): string {
  const text = value
    .toLowerCase()
    .replace(/[^a-z0-9_\u0080-\uffff]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return boundedToken(text);
}
