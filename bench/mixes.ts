import type { Kind, Shares } from './mix-kinds.js';

/** What docs/performance.md asks of one process. */
export interface MixTarget {
  /** The most CPU time as a multiple of the yardstick's, by engine. */
  readonly cpu?: Readonly<Record<string, number>>;
  /** The least share of the yardstick's rate. */
  readonly rate?: number;
  /** The least share of the rate of bare commits on the same disk, which are measured if it is given. */
  readonly commits?: number;
}

/** A mix of requests. */
export interface Mix {
  readonly title: string;
  readonly shares: Shares;
  readonly target?: MixTarget;
}

/** Mixes that are measured on one server, one after the other. */
export type MixGroup = readonly Mix[];

/** The most CPU time by the percentage of new posts. */
const TIMELINE_TARGETS: Readonly<Record<number, MixTarget>> = {
  0: { cpu: { sqlite: 4 } },
  10: { cpu: { sqlite: 7, postgres: 12 } },
};

/** One kind of request at a time. */
const ENDPOINTS: Readonly<Partial<Record<Kind, Omit<Mix, 'shares'>>>> = {
  plain: { title: 'one post by id, without other fields', target: { rate: 0.5 } },
  signed: { title: 'the same, OAuth 1.0a signature' },
  lookup: { title: '100 posts by ids, all expansions and fields' },
  user: { title: 'a user’s posts, 20', target: { rate: 0.2 } },
  home: { title: 'home page, 20', target: { rate: 0.2 } },
  search: { title: 'search page, 20', target: { rate: 0.2 } },
  followers: { title: 'followers, 100', target: { rate: 0.25 } },
  post: { title: 'POST /2/tweets, durable', target: { commits: 1 / 3 } },
};

/** The names that `mixGroups` accepts. */
export const MIX_NAMES = ['timeline', 'social', 'endpoints', ...Object.keys(ENDPOINTS)] as const;

/** Returns the mixes with these names; `writes` are percentages of new posts. Throws RangeError for an unknown name. */
export function mixGroups(names: readonly string[], writes: readonly number[]): MixGroup[] {
  const unknown = names.find((name) => !MIX_NAMES.includes(name));
  if (unknown !== undefined) throw new RangeError(`--mix accepts ${MIX_NAMES.join(', ')}, not "${unknown}"`);
  const endpoints = Object.entries(ENDPOINTS)
    .filter(([kind]) => names.includes(kind) || names.includes('endpoints'))
    .map(([kind, about]) => ({ ...about, shares: { [kind]: 1 } }));
  return [
    ...(names.includes('timeline') ? writes.map((percent) => [timelineMix(percent)]) : []),
    ...(names.includes('social') ? [[SOCIAL_MIX]] : []),
    ...(endpoints.length > 0 ? [endpoints] : []),
  ];
}

function timelineMix(percent: number): Mix {
  const writes = percent / 100;
  return {
    title: `timeline mix, ${percent}% new posts`,
    shares: { ...readShares(1 - writes), post: writes },
    target: TIMELINE_TARGETS[percent],
  };
}

/** New posts and everything else that changes what others see. */
const SOCIAL_MIX: Mix = {
  title: 'social mix, 10% new posts',
  shares: {
    ...readShares(0.8),
    post: 0.1,
    like: 0.05,
    follow: 0.01,
    unfollow: 0.01,
    profile: 0.01,
    delete: 0.01,
    block: 0.005,
    unblock: 0.005,
  },
};

function readShares(part: number): Shares {
  return { home: part * 0.63, user: part * 0.27, single: part * 0.1 };
}
