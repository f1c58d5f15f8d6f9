import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { invalidRequest } from './support/errors.js';
import { ID, openNetwork, postId, startNetwork, type Caller, type Network } from './support/network.js';
import { idsIn, pageAt, walkPages } from './support/pages.js';

const POSTS = Array.from({ length: 24 }, (_, at) => ({
  id: postId(at + 1),
  author: 'alice',
  text: `post ${at + 1}`,
}));
const LIKED = POSTS.map(({ id }) => id).reverse();
const PATH = `/2/users/${ID.bob}/liked_tweets`;

let network: Network;
beforeAll(async () => {
  network = await openNetwork({
    posts: [
      ...POSTS,
      ...Array.from({ length: 24 }, (_, at) => ({
        id: postId(at + 31),
        author: 'carol',
        text: `look ${at}`,
        quote_of: postId(1),
      })),
    ],
    likes: POSTS.flatMap(({ id }, at) => {
      const time = `2022-10-05T10:${String(at).padStart(2, '0')}:00Z`;
      return ['bob', 'carol'].map((user) => ({ user, post: id, at: time }));
    }),
  });
});
afterAll(() => network.close());

/** Returns the token in the page’s meta. */
async function tokenOf(
  caller: Caller,
  path: string,
  query: string,
  name: 'next_token' | 'previous_token' = 'next_token',
): Promise<string> {
  const { meta } = await pageAt(caller, path, query);
  return meta[name] ?? expect.fail(`${path}${query} has no ${name}`);
}

async function expectRefused(caller: Caller, path: string, query: string, token: string): Promise<void> {
  const answer = await caller.get(`${path}?${query}&pagination_token=${token}`);
  const message = `The \`pagination_token\` query parameter value [${token}] is not valid`;
  expect([answer.status, answer.body]).toEqual([
    400,
    invalidRequest([{ pagination_token: [token] }, message]),
  ]);
}

describe('pages', () => {
  test('have a next token except the last, and a previous token except the first', async () => {
    const pages = await walkPages(network.app, PATH, 10);
    expect(pages.flatMap((page) => page.ids)).toEqual(LIKED);
    expect(pages.map(({ meta }) => Object.keys(meta).sort())).toEqual([
      ['next_token', 'result_count'],
      ['next_token', 'previous_token', 'result_count'],
      ['previous_token', 'result_count'],
    ]);
    for (const { meta } of pages) {
      for (const token of [meta.next_token, meta.previous_token]) {
        if (token !== undefined) expect(token).toMatch(/^[a-z0-9]{16,40}$/);
      }
    }
  });

  test('can be read again, and previous_token returns exactly the previous page', async () => {
    const [first, second, third] = await walkPages(network.app, PATH, 10);
    const at = async (token?: string) =>
      (await pageAt(network.app, PATH, `?max_results=10&pagination_token=${token ?? ''}`)).ids;
    expect(await at(first?.meta.next_token)).toEqual(second?.ids);
    expect(await at(third?.meta.previous_token)).toEqual(second?.ids);
    expect(await at(second?.meta.previous_token)).toEqual(first?.ids);
    const back = await pageAt(
      network.app,
      PATH,
      `?max_results=10&pagination_token=${second?.meta.previous_token ?? ''}`,
    );
    expect(back.meta.previous_token).toBeUndefined();
    expect(await at(back.meta.next_token)).toEqual(second?.ids);
  });

  test('can change max_results and fields from one to the next', async () => {
    const token = await tokenOf(network.app, PATH, '?max_results=5');
    const query = `?max_results=7&pagination_token=${token}&tweet.fields=author_id&expansions=author_id`;
    expect((await pageAt(network.app, PATH, query)).ids).toEqual(LIKED.slice(5, 12));
  });
});

test('each hidden post has an error entry, also on pages that are filled up', async () => {
  const theirs = Array.from({ length: 22 }, (_, at) => ({
    id: postId(at + 41),
    author: 'bob',
    text: `theirs ${at}`,
  }));
  const mixed = await startNetwork({
    posts: [...POSTS.slice(0, 2), ...theirs],
    follows: [{ from: 'alice', to: 'bob' }],
  });
  const answer = await mixed
    .as('alice')
    .get(
      `/2/users/${ID.alice}/timelines/reverse_chronological?max_results=5&tweet.fields=non_public_metrics`,
    );
  expect(idsIn(answer)).toEqual([2, 1].map(postId));
  const reported = (answer.body.errors as { resource_id: string }[]).map((error) => error.resource_id);
  expect([...new Set(reported)]).toEqual(theirs.map(({ id }) => id).reverse());
});

describe('a page token', () => {
  test('is refused with any character changed, missing or added', async () => {
    const token = await tokenOf(network.app, PATH, '?max_results=5');
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'a' ? 'b' : 'a';
      await expectRefused(
        network.app,
        PATH,
        'max_results=5',
        token.slice(0, at) + other + token.slice(at + 1),
      );
    }
    await expectRefused(network.app, PATH, 'max_results=5', token.slice(1));
    await expectRefused(network.app, PATH, 'max_results=5', `${token}a`);
    await expectRefused(network.app, PATH, 'max_results=5', token.toUpperCase());
    for (const forged of ['a', '0', '7140dibdnow9c7btw482knsakjvd2', '-1', 'null', 'a'.repeat(200)]) {
      await expectRefused(network.app, PATH, 'max_results=5', forged);
    }
  });

  test('is refused by another list, endpoint or caller', async () => {
    const token = await tokenOf(network.app, PATH, '?max_results=5');
    await expectRefused(network.app, `/2/users/${ID.carol}/liked_tweets`, 'max_results=5', token);
    await expectRefused(network.as('bob'), PATH, 'max_results=5', token);
    const ofBob = await tokenOf(network.as('bob'), PATH, '?max_results=5');
    await expectRefused(network.as('carol'), PATH, 'max_results=5', ofBob);
    await expectRefused(network.as('bob'), `/2/users/${ID.bob}/bookmarks`, 'max_results=5', ofBob);
    await expectRefused(network.as('bob'), `/2/users/${ID.bob}/tweets`, 'max_results=5', ofBob);
    expect((await pageAt(network.as('bob'), PATH, `?max_results=5&pagination_token=${ofBob}`)).ids).toEqual(
      LIKED.slice(5, 10),
    );
  });

  test('is refused with other filters, whatever their spelling', async () => {
    const path = `/2/tweets/${postId(1)}/quote_tweets`;
    const both = await tokenOf(network.app, path, '?exclude=replies,retweets');
    await expectRefused(network.app, path, 'exclude=replies', both);
    await expectRefused(network.app, path, 'max_results=10', both);
    const again = await pageAt(network.app, path, `?exclude=retweets,replies&pagination_token=${both}`);
    expect(again.ids).toHaveLength(10);
    const unfiltered = await tokenOf(network.app, path, '?max_results=10');
    await expectRefused(network.app, path, 'exclude=retweets', unfiltered);
  });

  test('of a timeline is refused with another time window', async () => {
    const path = `/2/users/${ID.alice}/tweets`;
    const token = await tokenOf(network.app, path, `?since_id=${postId(1)}&max_results=5`);
    await expectRefused(network.app, path, `since_id=${postId(2)}&max_results=5`, token);
    await expectRefused(network.app, path, 'max_results=5', token);
    const query = `?since_id=${postId(1)}&max_results=5&pagination_token=${token}`;
    expect((await pageAt(network.app, path, query)).ids).toEqual(LIKED.slice(5, 10));
  });

  test('is refused when empty, with its own message', async () => {
    const { status, body } = await network.app.get(`${PATH}?pagination_token=`);
    expect([status, body.errors[0].message]).toEqual([
      400,
      'The `pagination_token` query parameter can not be empty',
    ]);
  });
});

describe('every paged endpoint', () => {
  const paged = endpoints.filter(({ params = {} }) => 'pagination_token' in params);

  test('names its token pagination_token and documents its bounds', () => {
    expect(paged.length).toBeGreaterThan(6);
    // A page of counts is a month, not a number of results.
    for (const { operationId, params = {} } of paged.filter(({ path }) => !path.includes('/counts/'))) {
      expect(params['max_results']?.schema, operationId).toMatchObject({
        type: 'integer',
        minimum: expect.any(Number) as number,
        maximum: expect.any(Number) as number,
      });
    }
  });

  test('refuses a made-up token', async () => {
    for (const { operationId, path, params = {}, access } of paged) {
      if (access === 'public' || !(access.contexts as readonly string[]).includes('oauth2')) continue;
      const url = path.replace('{dm_conversation_id}', `${ID.bob}-${ID.carol}`).replace(/\{[^}]+\}/g, ID.bob);
      const others = Object.entries(params)
        .filter(([, spec]) => spec.in === 'query' && spec.required)
        .map(([name]) => `&${name}=hello`);
      const answer = await network
        .as('bob')
        .get(`${url}?pagination_token=zzzzzzzzzzzzzzzz${others.join('')}`);
      expect([answer.status, answer.body.errors?.[0].parameters], operationId).toEqual([
        400,
        { pagination_token: ['zzzzzzzzzzzzzzzz'] },
      ]);
    }
  });
});

test('a list read during changes returns unchanged entries once and no entry twice', async () => {
  const mutable = await startNetwork({ posts: POSTS });
  const like = (id: string) => mutable.as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: id });
  const unlike = (id: string) => mutable.as('bob').delete(`/2/users/${ID.bob}/likes/${id}`);
  const steps = fc.array(fc.record({ at: fc.nat(POSTS.length - 1), isLike: fc.boolean() }), {
    minLength: 6,
    maxLength: 24,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 5, max: 9 }), async (changes, size) => {
      for (const { id } of POSTS) await like(id);
      const start = new Set((await pageAt(mutable.as('bob'), PATH)).ids);
      const queue = [...changes];
      const pages = await walkPages(mutable.as('bob'), PATH, size, async () => {
        for (const { at, isLike } of queue.splice(0, 4)) {
          const id = postId(at + 1);
          // An entry liked again after an unlike moves to the top.
          if (!isLike) start.delete(id);
          await (isLike ? like(id) : unlike(id));
        }
      });
      const seen = pages.flatMap((page) => page.ids);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining([...start]));
    }),
    { numRuns: 6 },
  );
});
