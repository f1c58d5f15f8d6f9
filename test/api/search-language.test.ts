import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { standardWorld } from '../support/world.js';

/** The query language per access level and track, at the four endpoints that take queries (docs/api/search.md). */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const PREFIX = 'There were errors processing your request: ';
const NOT_AVAILABLE =
  'Operator is not available in current product or product packaging. ' +
  'Please refer to complete available operator list at http://t.co/operators.';

const RECENT = ['/2/tweets/search/recent', '/2/tweets/counts/recent'];
const ALL = ['/2/tweets/search/all', '/2/tweets/counts/all'];

/** Bearer tokens of apps by level and track. */
const APPS = {
  essential: { access_level: 'essential', track: 'standard' },
  basic: { access_level: 'basic', track: 'standard' },
  elevated: { access_level: 'elevated', track: 'standard' },
  research: { access_level: 'essential', track: 'academic_research' },
} as const;
type AppName = keyof typeof APPS;

let app: TestApp;

beforeAll(async () => {
  const world = standardWorld();
  const [first] = world['apps'] ?? [];
  const apps = Object.entries(APPS).map(([name, access], n) => ({
    ...(first as object),
    ...access,
    id: String(3001 + n),
    name,
    api_key: `key-${name}`,
    client_id: `client-${name}`,
    bearer_token: name,
  }));
  const posts = [
    { id: String(firstIdAt(NOW_MS - 60_000)), author: 'alice', text: 'a grumpy cat #meme' },
    { id: String(firstIdAt(NOW_MS - 61_000)), author: 'bob', text: 'apple ipad' },
    { id: String(firstIdAt(NOW_MS - 62_000)), author: 'bob', text: 'iphone android' },
  ];
  app = await startTestApp({
    world: { ...world, posts, likes: [], bookmarks: [], apps },
    clock: () => NOW_MS,
  });
});
afterAll(() => app.close());

async function ask(path: string, query: string, as: AppName) {
  return app.get(`${path}?query=${encodeURIComponent(query)}`, as);
}

/** Returns the error of the query, the same at every endpoint; undefined if the query is valid. */
async function refusal(query: string, as: AppName): Promise<string | undefined> {
  const paths = as === 'research' ? [...RECENT, ...ALL] : RECENT;
  const messages = new Set<string | undefined>();
  for (const path of paths) {
    const { status, body } = await ask(path, query, as);
    if (status === 200) messages.add(undefined);
    else {
      expect({ status, ...body }).toMatchObject({
        status: 400,
        title: 'Invalid Request',
        errors: [{ parameters: { query: [query] } }],
      });
      messages.add(body.errors[0].message);
    }
  }
  expect([...messages]).toHaveLength(1);
  return [...messages][0];
}

async function texts(query: string): Promise<string[]> {
  const { body } = await ask('/2/tweets/search/recent', query, 'elevated');
  return (body.data ?? []).map(({ text }: { text: string }) => text);
}

describe('examples (docs/api/search.md#grammar)', () => {
  it.each([
    ['#xapi', true],
    ['has:media', false],
    ['cat has:media -grumpy', true],
    ['-is:retweet', false],
    ['(grumpy cat) OR (#meme has:images)', true],
    ['cats -(a OR b)', true],
    ['from:a OR from:b -from:c', true],
    ['"twitter data" has:mentions (has:media OR has:links)', true],
    ['is:nullcast ads', false],
    ['ads -is:nullcast', false],
    ['bounding_box:[-105.3 39.96 -105.17 40.09]', false],
  ])('%s is valid at the lowest level: %s', async (query, valid) => {
    expect((await refusal(query, 'essential')) === undefined).toBe(valid);
  });

  it.each(['ads -is:nullcast', 'bounding_box:[-105.3 39.96 -105.17 40.09]'])(
    '%s requires an advanced level',
    async (query) => {
      expect(await refusal(query, 'elevated')).toBeUndefined();
      expect(await refusal(query, 'research')).toBeUndefined();
    },
  );

  it.each([
    ['apple OR iphone ipad', ['apple ipad']],
    ['ipad iphone OR android', ['iphone android']],
    ['(apple OR iphone) ipad', ['apple ipad']],
    ['from:alice OR from:bob -apple', ['a grumpy cat #meme', 'iphone android']],
    ['from:bob -(apple OR grumpy)', ['iphone android']],
  ])('%s finds %j: AND binds tighter than OR', async (query, found) => {
    expect(await texts(query)).toEqual(found);
  });
});

describe('errors and their positions (docs/api/search.md#errors)', () => {
  const STANDALONE = 'is/has/lang cannot be used as a standalone operator (at position 1)';
  it.each([
    [
      'judell point_radius:[-105.292778 40.019444 25mi]',
      `Reference to invalid operator 'point_radius'. ${NOT_AVAILABLE} (at position 8)`,
    ],
    ['$TWTR', `Reference to invalid operator 'cashtag'. ${NOT_AVAILABLE} (at position 1)`],
    ['cat bio:x', `Reference to invalid operator 'bio'. ${NOT_AVAILABLE} (at position 5)`],
    ['has:media', STANDALONE],
    ['has:links OR is:retweet', STANDALONE],
    ['has:polls', `${STANDALONE}, Reference to invalid operator 'has:polls'`],
    [
      '(humorous AND (film OR movies OR cinema OR "film industry" OR directors)) -is:retweet lang:en',
      'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 11)',
    ],
    [
      '(horrible OR worst OR sucks OR bad OR disappointing) (place_country:US OR place_country:CA',
      "missing EOF at ')' (at position 51)",
    ],
    ["(pepsi OR cola OR 'coca cola')", "no viable alternative at character ''' (at position 19)"],
    ['[(OpenAI OR GPT-3) (#OpenAI OR #AI)]', "no viable alternative at input '[' (at position 1)"],
    ['-cat', 'Rule must contain at least one positive, non-stopword clause (at position 1)'],
    ['cat OR -dog', 'Rule must contain at least one positive, non-stopword clause (at position 8)'],
    ['a'.repeat(600), 'Rule length exceeds limit: 600 characters, maximum 512'],
    ['😂 😂 #', "no viable alternative at character '#' (at position 5)"],
  ])('%s', async (query, message) => {
    expect(await refusal(query, 'essential')).toBe(PREFIX + message);
  });

  it.each([
    ['cat point_radius:[1 2 25mi]', 'point_radius: radius must be less than 25mi (at position 5)'],
    ['cat is:nullcast', 'is:nullcast must be negated (at position 5)'],
    ['cat bounding_box:[1 2 3 2.1]', 'bounding_box: width must be less than 25mi (at position 5)'],
    ['cat bounding_box:[1 2 1.1 3]', 'bounding_box: height must be less than 25mi (at position 5)'],
  ])('%s, at levels with the operator', async (query, message) => {
    expect(await refusal(query, 'elevated')).toBe(PREFIX + message);
    expect(await refusal(query, 'research')).toBe(PREFIX + message);
  });

  it('an empty, blank or missing query is reported as empty', async () => {
    const missing = 'The `query` query parameter can not be empty';
    for (const path of [...RECENT, ...ALL]) {
      for (const query of ['', '?query=', '?query=%20%09']) {
        const { status, body } = await app.get(path + query, 'research');
        expect([status, body.errors[0].message]).toEqual([400, missing]);
      }
    }
  });

  it.each(['%ff', '%ed%a0%80', '%', 'a%00b'])('the bytes %s are rejected', async (query) => {
    for (const path of [...RECENT, ...ALL]) {
      expect((await app.get(`${path}?query=${query}`, 'research')).status).toBe(400);
    }
  });
});

describe('levels and tracks', () => {
  const ADVANCED = [
    ...[
      '$tag',
      'cat has:cashtags',
      'cat has:geo',
      'cat -is:nullcast',
      'list:1',
      'place:x',
      'place_country:US',
    ],
    ...['sample:1', 'point_radius:[1 2 3mi]', 'bounding_box:[1 2 1.1 2.1]', 'geo_bounding_box:[1 2 1.1 2.1]'],
  ];

  it.each(ADVANCED)('%s requires Elevated access or the research track', async (query) => {
    expect(await refusal(query, 'essential')).toContain('Reference to invalid operator');
    expect(await refusal(query, 'basic')).toContain('Reference to invalid operator');
    expect(await refusal(query, 'elevated')).toBeUndefined();
    expect(await refusal(query, 'research')).toBeUndefined();
  });

  it('entity: is valid for recent search and counts only', async () => {
    for (const path of RECENT) expect((await ask(path, 'entity:"x"', 'research')).status).toBe(200);
    for (const path of ALL) {
      expect((await ask(path, 'entity:"x"', 'research')).body.errors[0].message).toBe(
        `${PREFIX}Reference to invalid operator 'entity'. ${NOT_AVAILABLE} (at position 1)`,
      );
    }
  });

  it.each([
    ['essential', 512],
    ['elevated', 512],
    ['research', 1024],
  ] as const)('a query of an %s app is limited to %i characters', async (as, maximum) => {
    expect(await refusal('😂'.repeat(maximum), as)).toBeUndefined();
    expect(await refusal('😂'.repeat(maximum + 1), as)).toBe(
      `${PREFIX}Rule length exceeds limit: ${maximum + 1} characters, maximum ${maximum}`,
    );
  });
});
