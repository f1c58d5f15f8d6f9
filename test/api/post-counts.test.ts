import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../support/rounds.js';
import { postId, startNetwork, type Name, type Network } from './support/network.js';

/** Counts always equal the number of existing posts, whatever the sequence or concurrency of changes. */

const NAMES = ['alice', 'bob', 'carol'] as const;

interface CreatedPost {
  readonly id: string;
  readonly author: Name;
  readonly replyTo?: string;
  readonly quoteOf?: string;
}

/** One action of a user; `pick` chooses among the existing posts. */
const action = fc.record({
  kind: fc.constantFrom('post', 'reply', 'quote', 'both', 'delete', 'foreign delete'),
  author: fc.constantFrom(...NAMES),
  pick: fc.nat(1000),
});
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Performs one action and updates the expected posts. */
async function act(
  network: Network,
  posts: Map<string, CreatedPost>,
  step: Action,
  n: number,
): Promise<void> {
  const { kind, author, pick } = step;
  const target = [...posts.values()][posts.size === 0 ? 0 : pick % posts.size];
  if (kind === 'delete' || kind === 'foreign delete') {
    if (!target) return;
    const isOwn = kind === 'delete' || target.author === author;
    const { status } = await network.as(isOwn ? target.author : author).delete(`/2/tweets/${target.id}`);
    expect(status).toBe(isOwn ? 200 : 403);
    if (isOwn) posts.delete(target.id);
    return;
  }
  const other = [...posts.values()][posts.size === 0 ? 0 : (pick * 7) % posts.size];
  const replyTo = kind === 'reply' || kind === 'both' ? target?.id : undefined;
  const quoteOf = kind === 'quote' || kind === 'both' ? other?.id : undefined;
  const id = await network.posted(author, {
    text: `Number ${n}`,
    ...(replyTo && { in_reply_to_tweet_id: replyTo }),
    ...(quoteOf && { quote_tweet_id: quoteOf }),
  });
  posts.set(id, { id, author, replyTo, quoteOf });
}

async function expectExactCounts(network: Network, created: ReadonlyMap<string, CreatedPost>): Promise<void> {
  const posts = [...created.values()];
  for (const name of NAMES) {
    const { body } = await network.as(name).get('/2/users/me?user.fields=public_metrics');
    const count = posts.filter(({ author }) => author === name).length;
    expect(body.data.public_metrics.tweet_count, name).toBe(count);
  }
  if (posts.length === 0) return;
  const ids = posts.map(({ id }) => id);
  const { body } = await network.app.get(`/2/tweets?ids=${ids.join(',')}&tweet.fields=public_metrics`);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  for (const { id, public_metrics } of body.data as { id: string; public_metrics: object }[]) {
    expect(public_metrics, id).toMatchObject({
      reply_count: posts.filter(({ replyTo }) => replyTo === id).length,
      quote_count: posts.filter(({ quoteOf }) => quoteOf === id).length,
    });
  }
}

describe('counts', () => {
  test('are exact after any sequence of posts, replies, quotes and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (steps) => {
        const network = await startNetwork();
        const posts = new Map<string, CreatedPost>();
        for (const [n, step] of steps.entries()) await act(network, posts, step, n);
        await expectExactCounts(network, posts);
      }),
      { numRuns: rounds(6), seed: 20221007 },
    );
  });

  test('are exact after concurrent replies, quotes and deletions', async () => {
    const root = postId(1);
    const network = await startNetwork({ posts: [{ id: root, author: 'erin', text: 'Root' }] });
    const posted = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const link = n % 2 === 0 ? { in_reply_to_tweet_id: root } : { quote_tweet_id: root };
        return network.posted(NAMES[n % 3] ?? 'alice', { text: `Number ${n}`, ...link });
      }),
    );
    await Promise.all([
      ...posted.slice(0, 12).map((id, n) => network.as(NAMES[n % 3] ?? 'alice').delete(`/2/tweets/${id}`)),
      ...Array.from({ length: 6 }, (_, n) =>
        network.posted('dave', { text: `Late ${n}`, in_reply_to_tweet_id: root }),
      ),
    ]);
    const { body } = await network.app.get(`/2/tweets/${root}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ reply_count: 15 - 6 + 6, quote_count: 15 - 6 });
  });

  test('replies concurrent with the deletion of their parent are either complete or refused', async () => {
    const root = postId(1);
    const network = await startNetwork({ posts: [{ id: root, author: 'erin', text: 'Root' }] });
    const reply = (n: number) =>
      network.as(NAMES[n % 3] ?? 'alice').post('/2/tweets', { text: `N ${n}`, in_reply_to_tweet_id: root });
    const [before, , after] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, (_, n) => reply(n))),
      network.as('erin').delete(`/2/tweets/${root}`),
      Promise.all(Array.from({ length: 6 }, (_, n) => reply(n + 6))),
    ]);
    const statuses = [...before, ...after].map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 403)).toEqual([]);
    const me = await Promise.all(
      NAMES.map((name) => network.as(name).get('/2/users/me?user.fields=public_metrics')),
    );
    const total = me.reduce((sum, { body }) => sum + Number(body.data.public_metrics.tweet_count), 0);
    expect(total).toBe(statuses.filter((status) => status === 201).length);
  });
});
