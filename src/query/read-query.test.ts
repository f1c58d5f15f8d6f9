import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReadOptions, readQuery, refusedQuery } from './read-query.js';

/** Any character, including lone surrogates, with a bias towards ASCII. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint));

const ESSENTIAL: ReadOptions = { level: 'essential', track: 'standard', product: 'recent' };
const ELEVATED: ReadOptions = { level: 'elevated', track: 'standard', product: 'recent' };
const RESEARCH: ReadOptions = { level: 'essential', track: 'academic_research', product: 'all' };

const PREFIX = 'There were errors processing your request: ';
const NOT_AVAILABLE =
  'Operator is not available in current product or product packaging. ' +
  'Please refer to complete available operator list at http://t.co/operators.';

function messageOf(query: string, options: ReadOptions): string | undefined {
  const reading = readQuery(query, options);
  return reading.ok ? undefined : reading.message;
}

test('operators, values and everything except OR may be in any case (docs/api/search.md#grammar)', () => {
  const meaningOf = (query: string): unknown => {
    const reading = readQuery(query, ELEVATED);
    return reading.ok ? reading.expression : reading.message;
  };
  const query = 'cat "tom and jerry" #tag @bob $ab from:alice -is:retweet has:media lang:en place_country:us';
  expect(meaningOf(query.toUpperCase())).toEqual(meaningOf(query));
  expect(meaningOf('cat "OR" "and" or')).toContain('Ambiguous use of or as a keyword');
  expect(meaningOf('cat OR dog')).toMatchObject({ kind: 'or' });
});

describe('worked cases (docs/api/search.md#grammar)', () => {
  test.each([
    '#xapi',
    'cat has:media -grumpy',
    '(grumpy cat) OR (#meme has:images)',
    'cats -(a OR b)',
    'from:a OR from:b -from:c',
    '"twitter data" has:mentions (has:media OR has:links)',
  ])('%s is valid', (query) => expect(messageOf(query, ESSENTIAL)).toBeUndefined());

  test.each(['has:media', '-is:retweet', 'is:nullcast ads', 'bounding_box:[-105.3 39.96 -105.17 40.09]'])(
    '%s is invalid',
    (query) => expect(messageOf(query, ESSENTIAL)).toBeDefined(),
  );

  test('bounding_box needs the level', () => {
    expect(messageOf('bounding_box:[-105.3 39.96 -105.17 40.09]', ELEVATED)).toBeUndefined();
  });
});

describe('recorded messages (docs/api/search.md#errors)', () => {
  test.each([
    [
      'judell point_radius:[-105.292778 40.019444 25mi]',
      `Reference to invalid operator 'point_radius'. ${NOT_AVAILABLE} (at position 8)`,
    ],
    ['$TWTR', `Reference to invalid operator 'cashtag'. ${NOT_AVAILABLE} (at position 1)`],
    ['has:media', 'is/has/lang cannot be used as a standalone operator (at position 1)'],
    [
      'has:polls',
      "is/has/lang cannot be used as a standalone operator (at position 1), Reference to invalid operator 'has:polls'",
    ],
    [
      '(humorous AND (film OR movies OR cinema OR "film industry" OR directors)) -is:retweet lang:en',
      'Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to find occurrences of and in text (at position 11)',
    ],
    ["(pepsi OR cola OR 'coca cola')", "no viable alternative at character ''' (at position 19)"],
    ['[(OpenAI OR GPT-3) (#OpenAI OR #AI)]', "no viable alternative at input '[' (at position 1)"],
    [
      '(horrible OR worst OR sucks OR bad OR disappointing) (place_country:US OR place_country:MX',
      "missing EOF at ')' (at position 51)",
    ],
  ])('%s', (query, text) => expect(messageOf(query, ESSENTIAL)).toBe(PREFIX + text));
});

describe('other messages', () => {
  test.each([
    ['-cat', 'Rule must contain at least one positive, non-stopword clause (at position 1)'],
    ['-is:retweet', 'Rule must contain at least one positive, non-stopword clause (at position 1)'],
    ['cat OR -dog', 'Rule must contain at least one positive, non-stopword clause (at position 8)'],
    ['has:links OR is:retweet', 'is/has/lang cannot be used as a standalone operator (at position 1)'],
    ['cat OR has:links', 'is/has/lang cannot be used as a standalone operator (at position 8)'],
    ['lang:en -cat', 'is/has/lang cannot be used as a standalone operator (at position 1)'],
    [
      '-cat OR lang:en',
      'Rule must contain at least one positive, non-stopword clause (at position 1), is/has/lang cannot be used as a standalone operator (at position 9)',
    ],
    [
      'cat or dog',
      'Ambiguous use of or as a keyword. Use OR to logically join two clauses, or "or" to find occurrences of or in text (at position 5)',
    ],
    ['foo:bar', `Reference to invalid operator 'foo'. ${NOT_AVAILABLE} (at position 1)`],
    ['cat is:polls', "Reference to invalid operator 'is:polls'"],
    ['cat is:[reply]', "Reference to invalid operator 'is:[reply]'"],
    ['has:[media] cat', "Reference to invalid operator 'has:[media]'"],
    ['cat has:geo', `Reference to invalid operator 'has:geo'. ${NOT_AVAILABLE} (at position 5)`],
    [
      'a:1 b:2',
      `Reference to invalid operator 'a'. ${NOT_AVAILABLE} (at position 1), Reference to invalid operator 'b'. ${NOT_AVAILABLE} (at position 5)`,
    ],
    ['"!?"', `no viable alternative at input '"!?"' (at position 1)`],
    ['""', `no viable alternative at input '""' (at position 1)`],
  ])('%s', (query, text) => expect(messageOf(query, ESSENTIAL)).toBe(PREFIX + text));

  test.each([
    ['is:nullcast ads', 'is:nullcast must be negated (at position 1)'],
    ['ads -(-is:nullcast)', 'is:nullcast must be negated (at position 8)'],
    ['cat point_radius:[1 2 25mi]', 'point_radius: radius must be less than 25mi (at position 5)'],
    [
      'point_radius:[1 2]',
      'point_radius: value must be [longitude latitude radius] with the radius in mi or km (at position 1)',
    ],
    ['from:@bob', 'from: value [@bob] must be a username without @ or a numeric user id (at position 1)'],
    [
      'sample:0 lang:xx cat',
      'sample: value [0] must be a whole number from 1 to 100 (at position 1), lang: value [xx] must be a supported BCP 47 language code (at position 10)',
    ],
  ])('%s, with all operators available', (query, text) =>
    expect(messageOf(query, ELEVATED)).toBe(PREFIX + text),
  );

  test.each(['', ' ', '\t\n'])('an empty query %j has its own', (query) =>
    expect(messageOf(query, ESSENTIAL)).toBe('The `query` query parameter can not be empty'),
  );

  test('the refusal is a 400 with the raw query', () => {
    expect(refusedQuery('has:x', 'm').failure).toEqual({
      code: 'invalid-request',
      violations: [{ parameters: { query: ['has:x'] }, message: 'm' }],
    });
  });

  test('the number of reported faults is limited', () => {
    expect(messageOf("'".repeat(500), ESSENTIAL)?.match(/at position/g)).toHaveLength(20);
  });
});

describe('the length is counted in code points and limited by product and track (docs/api/search.md#window, docs/api/search.md#counts)', () => {
  const tooLong = (length: number, maximum: number): string =>
    `${PREFIX}Rule length exceeds limit: ${length} characters, maximum ${maximum}`;

  test.each([
    [ESSENTIAL, 512],
    [ELEVATED, 512],
    [{ ...ESSENTIAL, track: 'academic_research' }, 1024],
    [RESEARCH, 1024],
    [{ ...ESSENTIAL, maxLength: 100 }, 100],
  ] as const)('%j: %i', (options, maximum) => {
    expect(messageOf('a'.repeat(maximum), options)).toBeUndefined();
    expect(messageOf('😂'.repeat(maximum), options)).toBeUndefined();
    expect(messageOf('a'.repeat(maximum + 1), options)).toBe(tooLong(maximum + 1, maximum));
    expect(messageOf(`${' '.repeat(maximum)}a`, options)).toBe(tooLong(maximum + 1, maximum));
  });
});

describe('any text', () => {
  const part = fc.constantFrom(
    ...[
      '(',
      ')',
      '-',
      '"',
      '[',
      ']',
      ' OR ',
      ' ',
      ' ',
      'cat',
      'and',
      "'",
      ':',
      '\ud800',
      '😂',
      '東京',
      '!',
      '-(',
    ],
    ...[
      'is:',
      'has:',
      'nullcast',
      'media',
      'from:',
      'lang:',
      'en',
      '7',
      'place:',
      'sample:',
      'url:',
      'context:',
    ],
    ...['point_radius:[', 'bounding_box:[', '1 2 3mi', '1 2 1.1 2.1', '#a', '@a', '$a', 'entity:'],
  );

  test('is parsed or refused with a message', () => {
    const hostile = fc.oneof(
      fc.string({ unit: character, maxLength: 300 }),
      fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom(ESSENTIAL, ELEVATED, RESEARCH), (query, options) => {
        const message = messageOf(query, options);
        expect(message).not.toBe('');
        if (message !== undefined) expect(message).toMatch(/^There were errors|can not be empty$/);
      }),
      { numRuns: 5000 },
    );
  });
});
