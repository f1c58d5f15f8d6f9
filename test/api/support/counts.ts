import { expect, onTestFinished } from 'vitest';
import { firstIdAt } from '../../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { standardWorld } from '../../support/world.js';

export const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface WirePeriod {
  readonly start: string;
  readonly end: string;
  readonly tweet_count: number;
}

export interface CountServer extends TestApp {
  /** Requests one page; checks that its periods are contiguous and add up to its total. */
  page(
    product: string,
    query: string,
    more?: Record<string, string>,
  ): Promise<{ readonly periods: WirePeriod[]; readonly total: number; readonly next?: string }>;
  /** Returns the periods of each page, oldest first. */
  pages(product: string, query: string, more?: Record<string, string>): Promise<WirePeriod[][]>;
  /** Returns the periods of all pages, oldest first. */
  whole(product: string, query: string, more?: Record<string, string>): Promise<WirePeriod[]>;
}

/** Starts a server that is closed with the test. */
export async function startCounts(posts: readonly unknown[] = [], more: object = {}): Promise<CountServer> {
  const app = await openCounts(posts, more);
  onTestFinished(app.close);
  return app;
}

export async function openCounts(posts: readonly unknown[] = [], more: object = {}): Promise<CountServer> {
  const world = standardWorld();
  const app = await startTestApp({
    world: { ...world, posts, likes: [], bookmarks: [], ...more },
    clock: () => NOW_MS,
  });
  const page: CountServer['page'] = async (product, query, values = {}) => {
    const search = new URLSearchParams({ query, ...values });
    const answer = await app.get(`/2/tweets/counts/${product}?${search}`, app.bearer);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    const { data, meta } = answer.body as {
      data: WirePeriod[];
      meta: { total_tweet_count: number; next_token?: string };
    };
    expect(gapsIn(data)).toEqual([]);
    expect(meta.total_tweet_count).toBe(data.reduce((sum, period) => sum + period.tweet_count, 0));
    return { periods: data, total: meta.total_tweet_count, next: meta.next_token };
  };
  const pages: CountServer['pages'] = async (product, query, values) => {
    const found: WirePeriod[][] = [];
    let next: string | undefined;
    do {
      const shown = await page(product, query, {
        ...values,
        ...(next === undefined ? {} : { next_token: next }),
      });
      found.unshift(shown.periods);
      next = shown.next;
    } while (next !== undefined);
    return found;
  };
  const whole: CountServer['whole'] = async (...request) => (await pages(...request)).flat();
  return { ...app, page, pages, whole };
}

export function post(timeMs: number, text = 'cat', author = 'bob') {
  return { id: String(firstIdAt(timeMs)), author, text, created_at: iso(timeMs) };
}

export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export const second = (timeMs: number): string => `${iso(timeMs).slice(0, 19)}Z`;

export const gapsIn = (periods: readonly WirePeriod[]): WirePeriod[] =>
  periods.slice(1).filter((period, index) => period.start !== periods[index]?.end);

export const filled = (periods: readonly WirePeriod[]): WirePeriod[] =>
  periods.filter(({ tweet_count: count }) => count > 0);
