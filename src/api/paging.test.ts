import { describe, expect, it } from 'vitest';
import type { AppAccess, Principal } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import type { UserId } from '../core/ids.js';
import type { Cursor } from '../core/page.js';
import { createPageTokens } from './page-tokens.js';
import { createPaging, withPageMeta } from './paging.js';

const paging = createPaging(createPageTokens(Buffer.alloc(32, 3)));
const app = { id: 1n } as AppAccess;
const principal: Principal = {
  context: 'oauth2',
  app,
  userId: 7n as UserId,
  permission: 'read',
  scopes: new Set(),
};
const CURSOR: Cursor = { direction: 'next', position: 5n, extra: [] };

const callOf = (params: Record<string, unknown>) => ({
  operationId: 'list',
  principal,
  params: { max_results: 10, ...params },
});

function nextToken(params: Record<string, unknown>): string {
  return paging.tokens(callOf(params), { next: CURSOR }).next_token ?? '';
}

function violationsOf(params: Record<string, unknown>): unknown {
  try {
    return paging.open(callOf(params));
  } catch (error) {
    if (error instanceof PipitError && error.failure.code === 'invalid-request')
      return error.failure.violations;
    throw error;
  }
}

describe('a token', () => {
  it('opens under either parameter name if an endpoint has both', () => {
    const token = nextToken({ query: 'birds' });
    for (const name of ['next_token', 'pagination_token']) {
      const request = paging.open(callOf({ query: 'birds', [name]: token }));
      expect(request).toEqual({ limit: 10, cursor: CURSOR });
    }
  });

  it('is refused with the parameter name that was sent, and under both names at once', () => {
    expect(violationsOf({ next_token: 'abc' })).toEqual([
      {
        parameters: { next_token: ['abc'] },
        message: 'The `next_token` query parameter value [abc] is not valid',
      },
    ]);
    const token = nextToken({});
    expect(violationsOf({ next_token: token, pagination_token: token })).toEqual([
      {
        parameters: { next_token: [token], pagination_token: [token] },
        message: 'Only one of `next_token` or `pagination_token` may be sent',
      },
    ]);
  });

  it('depends on every filter, but not on what pages show', () => {
    const filters = { query: 'birds', since_id: 3n, exclude: new Set(['replies', 'retweets']) };
    const token = nextToken({ ...filters, max_results: 5 });
    const shown = { 'tweet.fields': new Set(['lang']), expansions: new Set(['author_id']), max_results: 99 };
    const sameFilters = { ...filters, exclude: new Set(['retweets', 'replies']) };
    expect(paging.open(callOf({ ...sameFilters, ...shown, next_token: token })).cursor).toEqual(CURSOR);
    for (const other of [{ query: 'bird' }, { since_id: 4n }, { exclude: new Set() }, { until_id: 9n }]) {
      expect(violationsOf({ ...filters, ...other, next_token: token })).toHaveLength(1);
    }
  });
});

describe('the meta of a page', () => {
  it('counts the shown entries and names the newest and the oldest', () => {
    const data = [{ id: '9' }, { id: '100' }, { id: '11' }];
    expect(withPageMeta({ data }, { next_token: 'n' }, { withIds: true }).meta).toEqual({
      result_count: 3,
      newest_id: '100',
      oldest_id: '9',
      next_token: 'n',
    });
    expect(withPageMeta({}, {}, { withIds: true })).toEqual({ meta: { result_count: 0 } });
  });
});
