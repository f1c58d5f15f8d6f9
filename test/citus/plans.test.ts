import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLACEMENTS } from '../../src/database/postgres/citus/placement.js';
import { ID, openNetwork, postId, type Network } from '../api/support/network.js';

/**
 * The statements that the server runs for the requests of every moment, and the shards to which Citus sends them
 * (docs/scaling.md#what-crosses-shards).
 */

interface Ran {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements about several ids, which go to the shards of these ids. */
const SEVERAL_IDS = /= ANY \(\$\d+\)|VALUES \([^)]*\), \(/;

/** Statements that cross shards by their nature: docs/scaling.md says where each goes. */
const CROSSING = [
  // A post is in the lists of all who liked it.
  /DELETE FROM liked_posts WHERE post_id/,
  // Fan-out reads the followers of authors and writes the timelines of their followers.
  /INTO home_entries[\s\S]*FROM pending_fan_outs|FROM \(SELECT p\.post_id[\s\S]*followers f|FROM \(SELECT f\.follower_id/,
  // Housekeeping looks at everybody's rows.
  /FROM recent_texts WHERE (?:1 = 1|\(user_id)/,
];

const TABLES = new RegExp(`\\b(?:${PLACEMENTS.map(({ table }) => table).join('|')}|pending_home_entries)\\b`);

/** Notes the statements of this process from the call on, and a client that ran one. */
function noteStatements() {
  const clients = new Set<pg.Client>();
  const ran = new Map<string, Ran>();
  // The driver's own class: tests replace the exported one.
  const prototype = Object.getPrototypeOf(new pg.Client({})) as pg.Client;
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query] = args;
    if (typeof query === 'object' && query !== null && 'text' in query) {
      const { text, values = [] } = query as { text: string; values?: unknown[] };
      if (/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text) && TABLES.test(text))
        ran.set(text, { text, values });
      clients.add(this);
    }
    return (original as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  return { ran, client: () => [...clients][0], stop: () => void (prototype.query = original) };
}

/** Returns the text with its values, since EXPLAIN of an INSERT ... SELECT takes no parameters. */
function withValues({ text, values }: Ran): string {
  const literal = (value: unknown): string => {
    if (value === null || value === undefined) return 'NULL';
    if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(String).join(',')}}`);
    return typeof value === 'string' ? pg.escapeLiteral(value) : String(value);
  };
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]));
}

/** Returns the number of tasks of each step of the plan. */
async function tasksOf(client: pg.Client, ran: Ran): Promise<number[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${withValues(ran)}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return [...plan.matchAll(/Task Count: (\d+)/g)].map(([, tasks]) => Number(tasks));
}

describe('statements of every moment go to one shard:', () => {
  let network: Network;
  let client: pg.Client;
  const alice = () => network.as('alice');
  const bob = () => network.as('bob');
  const user = (path: string): string => `/2/users/${ID.alice}/${path}`;

  beforeAll(async () => {
    const noted = noteStatements();
    network = await openNetwork({
      users: [{ username: 'alice', receives_dms: 'everyone' }],
      follows: [
        { from: 'alice', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
      posts: [
        { id: postId(1), author: 'alice', text: 'first' },
        { id: postId(2), author: 'bob', text: 'second' },
      ],
    });
    await alice().get(`/2/tweets/${postId(1)}`);
    noted.stop();
    const { host, port, database, user: name, password } = noted.client() ?? {};
    client = new pg.Client({ host, port, database, user: name, password });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await network.close();
  });

  /** Runs requests and expects all that they ran to go to one shard each. */
  async function expectOneShard(...requests: (() => Promise<{ status: number }>)[]): Promise<void> {
    const noted = noteStatements();
    for (const request of requests) expect((await request()).status).toBeLessThan(300);
    noted.stop();
    expect(noted.ran.size).toBeGreaterThan(0);
    const crossing: string[] = [];
    for (const ran of noted.ran.values()) {
      if (SEVERAL_IDS.test(ran.text) || CROSSING.some((known) => known.test(ran.text))) continue;
      const tasks = await tasksOf(client, ran);
      // Without tasks a statement is about tables of the coordinator.
      if (tasks.length > 1 || (tasks[0] ?? 1) > 1) crossing.push(`${tasks.join()}: ${ran.text}`);
    }
    expect(crossing).toEqual([]);
  }

  test('home timelines', () =>
    expectOneShard(
      () => alice().get(user('timelines/reverse_chronological?max_results=5')),
      () => alice().get(user('timelines/reverse_chronological?max_results=5&until_id=9000000000000000000')),
    ));
  test('posts of a user, mentions', () =>
    expectOneShard(
      () => alice().get(`/2/users/${ID.bob}/tweets`),
      () => alice().get(user('mentions')),
    ));
  test('a post, with author and counts; a user by name', () =>
    expectOneShard(
      () => alice().get(`/2/tweets/${postId(2)}?expansions=author_id&tweet.fields=public_metrics`),
      () => alice().get('/2/users/by/username/bob?user.fields=public_metrics'),
    ));
  test('a new post, a reply, a quote, a deletion', () =>
    expectOneShard(
      () => alice().post('/2/tweets', { text: 'A new post' }),
      () => alice().post('/2/tweets', { text: 'A reply', reply: { in_reply_to_tweet_id: postId(2) } }),
      () => alice().post('/2/tweets', { text: 'A quote', quote_tweet_id: postId(2) }),
      () => alice().delete(`/2/tweets/${postId(1)}`),
    ));
  test('likes and reposts, done and undone, and their lists', () =>
    expectOneShard(
      () => alice().post(user('likes'), { tweet_id: postId(2) }),
      () => alice().get(`/2/tweets/${postId(2)}/liking_users`),
      () => alice().get(user('liked_tweets')),
      () => alice().delete(user(`likes/${postId(2)}`)),
      () => alice().post(user('retweets'), { tweet_id: postId(2) }),
      () => alice().get(`/2/tweets/${postId(2)}/retweeted_by`),
      () => alice().delete(user(`retweets/${postId(2)}`)),
    ));
  test('follows in both directions', () =>
    expectOneShard(
      () => alice().delete(user(`following/${ID.bob}`)),
      () => alice().post(user('following'), { target_user_id: ID.bob }),
      () => alice().get(user('following')),
      () => alice().get(user('followers')),
    ));
  test('notifications', () =>
    expectOneShard(
      () => bob().get('/_pipit/notifications'),
      () => bob().get('/_pipit/notifications/unread_count'),
    ));
  test('messages', () =>
    expectOneShard(
      () => bob().post(`/2/dm_conversations/with/${ID.alice}/messages`, { text: 'Hello' }),
      () => alice().get('/2/dm_events'),
      () => alice().get(`/2/dm_conversations/with/${ID.bob}/dm_events`),
    ));
});
