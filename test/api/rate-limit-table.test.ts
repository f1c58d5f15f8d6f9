import { describe, expect, test } from 'vitest';
import type { RateLimit } from '../../src/limits/rate-limit.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';

/**
 * The documented rate limits as an independent copy (docs/api/limits.md#rate-limits,
 * docs/api/limits.md#monthly-post-cap), compared with the route table. Columns: callers (B: app-only token, 1: OAuth
 * 1.0a, 2: OAuth 2.0 user token); calls per 15 minutes of an app (after a slash, of an app on the research track) and
 * of a user; further limits as `who limit/seconds pool`; whether returned posts count toward the cap.
 */
const TABLE = `
  GET    /2/users/{id}/bookmarks                                  |  12 |    - |  180 |
  POST   /2/users/{id}/bookmarks                                  |  12 |    - |   50 |
  DELETE /2/users/{id}/bookmarks/{tweet_id}                       |  12 |    - |   50 |
  PUT    /2/tweets/{id}/hidden                                    |  12 |    - |   50 |
  GET    /2/tweets/{id}/liking_users                              | B12 |   75 |   75 |
  GET    /2/users/{id}/liked_tweets                               | B12 |   75 |   75 | | cap
  POST   /2/users/{id}/likes                                      |  12 |    - |   50 | user 1000/86400 likes
  DELETE /2/users/{id}/likes/{tweet_id}                           |  12 |    - |   50 | user 1000/86400 likes
  POST   /2/tweets                                                |  12 |    - |  200 | user-of-app 300/10800 posts
  DELETE /2/tweets/{id}                                           |  12 |    - |   50 |
  GET    /2/tweets/{id}/quote_tweets                              | B12 |   75 |   75 | | cap
  GET    /2/tweets/{id}/retweeted_by                              | B12 |   75 |   75 |
  POST   /2/users/{id}/retweets                                   |  12 |    - |   50 | user-of-app 300/10800 posts
  DELETE /2/users/{id}/retweets/{source_tweet_id}                 |  12 |    - |   50 |
  GET    /2/tweets/search/recent                                  | B12 |  450 |  180 | | cap
  GET    /2/tweets/search/all                                     | B   |  300 |    - | app 1/1 | cap
  GET    /2/users/{id}/mentions                                   | B12 |  450 |  180 | | cap
  GET    /2/users/{id}/timelines/reverse_chronological            |  12 |    - |  180 |
  GET    /2/users/{id}/tweets                                     | B12 | 1500 |  900 | | cap
  GET    /2/tweets/counts/recent                                  | B   | 180/300 |  - |
  GET    /2/tweets/counts/all                                     | B   |  300 |    - |
  GET    /2/tweets/{id}                                           | B12 |  300 |  900 |
  GET    /2/tweets                                                | B12 |  300 |  900 |
  GET    /2/users/{id}/blocking                                   |  12 |    - |   15 |
  POST   /2/users/{id}/blocking                                   |  12 |    - |   50 |
  DELETE /2/users/{source_user_id}/blocking/{target_user_id}      |  12 |    - |   50 |
  GET    /2/users/{id}/followers                                  | B12 |   15 |   15 |
  GET    /2/users/{id}/following                                  | B12 |   15 |   15 |
  POST   /2/users/{id}/following                                  |  12 |    - |   50 | user 400/86400 follows, app-users 1000/86400
  DELETE /2/users/{source_user_id}/following/{target_user_id}     |  12 |    - |   50 | app-users 500/86400
  GET    /2/users/{id}/muting                                     |  12 |    - |   15 |
  POST   /2/users/{id}/muting                                     |  12 |    - |   50 |
  DELETE /2/users/{source_user_id}/muting/{target_user_id}        |  12 |    - |   50 |
  GET    /2/users/{id}                                            | B12 |  300 |  900 |
  GET    /2/users                                                 | B12 |  300 |  900 |
  GET    /2/users/by                                              | B12 |  300 |  900 |
  GET    /2/users/by/username/{username}                          | B12 |  300 |  900 |
  GET    /2/users/me                                              |  12 |    - |   75 |
  GET    /2/spaces/search                                         | B12 |  300 |  300 |
  GET    /2/spaces                                                | B12 |  300 |  300 |
  GET    /2/spaces/by/creator_ids                                 | B12 |  300 |  300 | app 1/1, user 1/1
  GET    /2/spaces/{id}                                           | B12 |  300 |  300 |
  GET    /2/spaces/{id}/buyers                                    |  12 |    - |  300 |
  GET    /2/spaces/{id}/tweets                                    | B12 |  300 |  300 |
  POST   /2/lists                                                 |  12 |    - |  300 |
  PUT    /2/lists/{id}                                            |  12 |    - |  300 |
  DELETE /2/lists/{id}                                            |  12 |    - |  300 |
  GET    /2/lists/{id}                                            | B12 |   75 |   75 |
  GET    /2/users/{id}/owned_lists                                | B12 |   15 |   15 |
  GET    /2/users/{id}/list_memberships                           | B12 |   75 |   75 |
  GET    /2/users/{id}/followed_lists                             | B12 |   15 |   15 |
  POST   /2/users/{id}/followed_lists                             |  12 |    - |   50 |
  DELETE /2/users/{id}/followed_lists/{list_id}                   |  12 |    - |   50 |
  GET    /2/lists/{id}/tweets                                     | B12 |  900 |  900 |
  GET    /2/lists/{id}/members                                    | B12 |  900 |  900 |
  POST   /2/lists/{id}/members                                    |  12 |    - |  300 |
  DELETE /2/lists/{id}/members/{user_id}                          |  12 |    - |  300 |
  GET    /2/lists/{id}/followers                                  | B12 |  180 |  180 |
  GET    /2/users/{id}/pinned_lists                               |  12 |    - |   15 |
  POST   /2/users/{id}/pinned_lists                               |  12 |    - |   50 |
  DELETE /2/users/{id}/pinned_lists/{list_id}                     |  12 |    - |   50 |
  GET    /2/dm_events                                             |  12 |    - |  300 reads |
  GET    /2/dm_conversations/with/{participant_id}/dm_events      |  12 |    - |  300 reads |
  GET    /2/dm_conversations/{dm_conversation_id}/dm_events       |  12 |    - |  300 reads |
  POST   /2/dm_conversations/with/{participant_id}/messages       |  12 |    - |  200 sends | user 1000/86400 sends, app-users 15000/86400 sends
  POST   /2/dm_conversations/{dm_conversation_id}/messages        |  12 |    - |  200 sends | user 1000/86400 sends, app-users 15000/86400 sends
  POST   /2/dm_conversations                                      |  12 |    - |  200 sends | user 1000/86400 sends, app-users 15000/86400 sends
  POST   /2/compliance/jobs                                       | B   |  150 |    - |
  GET    /2/compliance/jobs                                       | B   |  150 |    - |
  GET    /2/compliance/jobs/{id}                                  | B   |  150 |    - |
  GET    /2/usage/tweets                                          | B   |   50 |    - |
  GET    /2/tweets/{id}/retweets                                  | B12 |   75 |   75 |
  GET    /2/users/reposts_of_me                                   |  12 |    - |   75 |
`;

const CONTEXT_OF: Readonly<Record<string, string>> = { B: 'app', '1': 'oauth1', '2': 'oauth2' };

interface Declared {
  readonly contexts: readonly string[];
  readonly limits: readonly RateLimit[];
  readonly capped: boolean;
}

interface Row extends Declared {
  readonly name: string;
}

const rows = TABLE.trim().split('\n').map(readRow);

function readRow(line: string): Row {
  const [endpoint = '', callers = '', app = '', user = '', more = '', cap = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const quarterHour = (per: 'app' | 'user', cell: string): RateLimit[] => {
    const [limits = '-', pool] = cell.split(' ');
    const [limit, researchLimit] = limits.split('/').map(Number);
    if (limits === '-' || limit === undefined) return [];
    return [{ per, limit, ...(researchLimit && { researchLimit }), ...(pool && { pool }) }];
  };
  return {
    name: endpoint.replace(/ +/, ' '),
    contexts: [...callers].map((letter) => CONTEXT_OF[letter] ?? letter),
    limits: [
      ...quarterHour('app', app),
      ...quarterHour('user', user),
      ...more.split(',').flatMap((limit) => (limit === '' ? [] : [readFurther(limit.trim())])),
    ],
    capped: cap === 'cap',
  };
}

function readFurther(text: string): RateLimit {
  const [, per, limit, seconds, pool] = /^(\S+) (\d+)\/(\d+)(?: (\w+))?$/.exec(text) ?? [];
  return {
    per: per as RateLimit['per'],
    limit: Number(limit),
    windowSeconds: Number(seconds),
    ...(pool !== undefined && { pool }),
  };
}

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;
const found = (name: string) => endpoints.find((each) => nameOf(each) === name);

/** Removes the names of pools, which are internal: pools are compared by their members. */
function withoutPools(limits: readonly RateLimit[]): RateLimit[] {
  return limits.map(({ per, limit, researchLimit, windowSeconds }) => ({
    per,
    limit,
    ...(researchLimit !== undefined && { researchLimit }),
    ...(windowSeconds !== undefined && { windowSeconds }),
  }));
}

/** Returns the endpoints that share each pool. */
function poolMembers(
  declared: readonly { readonly name: string; readonly limits: readonly RateLimit[] }[],
): string[] {
  const byPool = new Map<string, string[]>();
  for (const { name, limits } of declared) {
    for (const { per, windowSeconds, pool } of limits) {
      if (pool === undefined) continue;
      const key = `${pool} ${per} ${windowSeconds}`;
      byPool.set(key, [...(byPool.get(key) ?? []), `${name} (${per} ${windowSeconds ?? 900})`]);
    }
  }
  return [...byPool.values()].map((names) => names.sort().join(', ')).sort();
}

test.each(rows)('$name has the documented contexts, limits and cap', ({ name, ...row }) => {
  const endpoint = found(name);
  const access = endpoint?.access;
  const declared = {
    contexts: access === undefined || access === 'public' ? [] : access.contexts,
    limits: withoutPools(endpoint?.rateLimits ?? []).filter(isReachable(row)),
    capped: endpoint?.capped === true,
  };
  expect(declared).toEqual({ ...row, limits: withoutPools(row.limits) });
});

/** Limits of callers without access have no effect. */
function isReachable({ contexts }: Declared): (limit: RateLimit) => boolean {
  return ({ per }) => (per === 'app' ? contexts.includes('app') : contexts.some((each) => each !== 'app'));
}

test('pools are shared as documented', () => {
  const declared = rows.map(({ name }) => ({ name, limits: found(name)?.rateLimits ?? [] }));
  // Deleting and reading events is not in the table and may share a pool with others.
  expect(poolMembers(declared)).toEqual(poolMembers(rows));
});

describe('every endpoint', () => {
  test('with credentials has a 15-minute limit per type of caller, which it reports', () => {
    for (const endpoint of endpoints) {
      const { access, rateLimits = [] } = endpoint;
      if (access === 'public') continue;
      const [first] = rateLimits;
      expect([nameOf(endpoint), first?.windowSeconds ?? 900]).toEqual([nameOf(endpoint), 900]);
      for (const per of ['app', 'user'] as const) {
        if (!(access.contexts as readonly string[]).some((each) => (each === 'app') === (per === 'app')))
          continue;
        const own = rateLimits.filter((limit) => limit.per === per && limit.windowSeconds === undefined);
        expect([nameOf(endpoint), per, own.length]).toEqual([nameOf(endpoint), per, 1]);
      }
    }
  });
});
