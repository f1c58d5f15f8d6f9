/**
 * The kinds of requests. The yardstick recognizes them by method and a part of the path: the first that fits among the
 * kinds of a mix.
 */
export const KINDS = {
  home: { method: 'GET', part: '/timelines/', status: 200 },
  search: { method: 'GET', part: '/search/', status: 200 },
  followers: { method: 'GET', part: '/followers', status: 200 },
  user: { method: 'GET', part: '/2/users/', status: 200 },
  lookup: { method: 'GET', part: '/2/tweets?', status: 200 },
  single: { method: 'GET', part: '/2/tweets/', status: 200 },
  plain: { method: 'GET', part: '/2/tweets/', status: 200 },
  signed: { method: 'GET', part: '/2/tweets/', status: 200 },
  like: { method: 'POST', part: '/likes', status: 200 },
  follow: { method: 'POST', part: '/following', status: 200 },
  unfollow: { method: 'DELETE', part: '/following/', status: 200 },
  block: { method: 'POST', part: '/blocking', status: 200 },
  unblock: { method: 'DELETE', part: '/blocking/', status: 200 },
  profile: { method: 'POST', part: '/my-account', status: 303 },
  post: { method: 'POST', part: '/2/tweets', status: 201 },
  delete: { method: 'DELETE', part: '/2/tweets/', status: 200 },
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** The share of each kind in all requests, from 0 to 1. */
export type Shares = Readonly<Partial<Record<Kind, number>>>;

/** Reports whether a mix changes nothing. */
export function isReadOnly(shares: Shares): boolean {
  return KIND_NAMES.every((kind) => KINDS[kind].method === 'GET' || !shares[kind]);
}

/** Returns a generator of kinds. */
export function kindSource(shares: Shares, random: () => number): () => Kind {
  const bounds: { readonly kind: Kind; readonly bound: number }[] = [];
  let sum = 0;
  for (const kind of KIND_NAMES) {
    sum += shares[kind] ?? 0;
    bounds.push({ kind, bound: sum });
  }
  return () => {
    const value = random() * sum;
    return bounds.find(({ bound }) => value < bound)?.kind ?? 'home';
  };
}
