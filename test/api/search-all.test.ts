import { describe, expect, it, onTestFinished } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, standardWorld } from '../support/world.js';

const NOW = '2022-10-07T22:42:12.000Z';
const NOW_MS = Date.parse(NOW);
const DAY = 24 * 3_600_000;

function all(query: string, more = ''): string {
  return `/2/tweets/search/all?query=${encodeURIComponent(query)}${more}`;
}

function idsOf(answer: { body: { data?: { id: string }[] } }): string[] {
  return (answer.body.data ?? []).map(({ id }) => id);
}

function idAt(ms: number): string {
  return String(firstIdAt(ms));
}

interface Archive extends TestApp {
  advance(ms: number): void;
}

/** A server whose app is on the research track by default. */
async function startArchive(options: {
  readonly posts?: readonly unknown[];
  readonly track?: string;
  readonly rateLimits?: 'standard';
}): Promise<Archive> {
  let nowMs = NOW_MS;
  const world = standardWorld();
  const apps = (world['apps'] ?? []).map((app) => ({
    ...(app as object),
    track: options.track ?? 'academic_research',
  }));
  const app = await startTestApp({
    world: { ...world, apps, posts: [...(world['posts'] ?? []), ...(options.posts ?? [])] },
    clock: () => nowMs,
    flags: options.rateLimits && { rateLimits: options.rateLimits },
  });
  onTestFinished(app.close);
  return { ...app, advance: (ms) => (nowMs += ms) };
}

function cats(...times: number[]) {
  return times.map((ms) => ({
    id: idAt(ms),
    author: 'bob',
    text: 'cat',
    created_at: new Date(ms).toISOString(),
  }));
}

describe('full-archive search', () => {
  it('requires an app token on the research track', async () => {
    const standard = await startArchive({ track: 'standard' });
    const refused = await standard.get(all('cat'), standard.bearer);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      title: 'Client Forbidden',
      reason: 'client-not-enrolled',
      client_id: APP.client_id,
    });
    const research = await startArchive({});
    expect((await research.get(all('cat'), research.bearer)).status).toBe(200);
    const user = await research.get(all('cat'), await research.as('alice'));
    expect(user.status).toBe(403);
    expect(user.body.title).toBe('Unsupported Authentication');
  });

  it('covers the 30 days before now or before end_time by default', async () => {
    const app = await startArchive({
      posts: cats(NOW_MS - 31 * DAY, NOW_MS - 29 * DAY, NOW_MS - 60 * DAY, NOW_MS - 100 * DAY),
    });
    expect(idsOf(await app.get(all('cat'), app.bearer))).toEqual([idAt(NOW_MS - 29 * DAY)]);
    const end = new Date(NOW_MS - 30 * DAY).toISOString();
    expect(idsOf(await app.get(all('cat', `&end_time=${end}`), app.bearer))).toEqual(
      [NOW_MS - 31 * DAY, NOW_MS - 60 * DAY].map(idAt),
    );
    const start = new Date(NOW_MS - 70 * DAY).toISOString();
    expect(idsOf(await app.get(all('cat', `&start_time=${start}`), app.bearer))).toHaveLength(3);
  });

  it('reaches back to 2006, also by since_id, and no further', async () => {
    const app = await startArchive({
      posts: [
        { id: '20', author: 'alice', text: 'the first cat', created_at: '2006-03-21T20:50:14Z' },
        ...cats(NOW_MS - 400 * DAY),
      ],
    });
    const old = await app.get(all('cat', '&start_time=2006-03-21T00:00:00Z'), app.bearer);
    expect(idsOf(old)).toEqual([idAt(NOW_MS - 400 * DAY), '20']);
    expect(idsOf(await app.get(all('cat', '&since_id=19'), app.bearer))).toHaveLength(2);
    expect(idsOf(await app.get(all('cat', '&since_id=20'), app.bearer))).toHaveLength(1);
    const tooOld = await app.get(all('cat', '&start_time=2006-03-20T23:59:59Z'), app.bearer);
    expect(tooOld.status).toBe(400);
    expect(tooOld.body.errors[0].message).toBe(
      "Invalid 'start_time':'2006-03-20T23:59Z'. 'start_time' must be on or after 2006-03-21T00:00Z",
    );
  });

  it('returns up to 500 posts per page, 10 by default', async () => {
    const app = await startArchive({
      posts: cats(...Array.from({ length: 520 }, (_, n) => NOW_MS - DAY - n * 1000)),
    });
    expect(idsOf(await app.get(all('cat'), app.bearer))).toHaveLength(10);
    const full = await app.get(all('cat', '&max_results=500'), app.bearer);
    expect(idsOf(full)).toHaveLength(500);
    const rest = await app.get(
      all('cat', `&max_results=500&next_token=${full.body.meta.next_token}`),
      app.bearer,
    );
    expect(idsOf(rest)).toHaveLength(20);
    const refused = await app.get(all('cat', '&max_results=501'), app.bearer);
    expect(refused.body.errors[0].message).toBe(
      'The `max_results` query parameter value [501] is not between 10 and 500',
    );
  });

  it('returns up to 100 posts per page with context annotations (docs/api/search.md#window)', async () => {
    const app = await startArchive({
      posts: cats(...Array.from({ length: 105 }, (_, n) => NOW_MS - DAY - n * 1000)),
    });
    for (const name of ['tweet.fields', 'tweet_fields', 'post.fields']) {
      const fields = `&${name}=lang,context_annotations`;
      expect(idsOf(await app.get(all('cat', `${fields}&max_results=100`), app.bearer))).toHaveLength(100);
      const refused = await app.get(all('cat', `${fields}&max_results=101`), app.bearer);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [
          {
            parameters: { max_results: ['101'] },
            message: 'The `max_results` query parameter value [101] is not between 10 and 100',
          },
        ],
      ]);
    }
  });

  it('allows one call a second and 300 in 15 minutes', async () => {
    const app = await startArchive({ rateLimits: 'standard' });
    const first = await app.get(all('cat'), app.bearer);
    expect(first.status).toBe(200);
    expect(first.headers['x-rate-limit-limit']).toBe('300');
    expect((await app.get(all('cat'), app.bearer)).status).toBe(429);
    app.advance(1_000);
    const third = await app.get(all('cat'), app.bearer);
    expect(third.status).toBe(200);
    expect(third.headers['x-rate-limit-remaining']).toBe('298');
  });

  it('accepts queries of 1,024 characters', async () => {
    const app = await startArchive({});
    const query = 'a'.repeat(1024);
    expect((await app.get(all(query), app.bearer)).status).toBe(200);
    const refused = await app.get(all(`${query}a`), app.bearer);
    expect(refused.body.errors[0].message).toBe(
      'There were errors processing your request: Rule length exceeds limit: 1025 characters, maximum 1024',
    );
  });
});
