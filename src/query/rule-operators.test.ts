import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRule } from './read-query.js';

const MAX_LENGTH = 1_024;

function faultsOf(rule: string, maxLength = MAX_LENGTH): readonly string[] {
  const reading = readRule(rule, maxLength);
  return reading.ok ? [] : reading.faults;
}

/** Returns the condition of a rule with one operator, without its position. */
function testOf(rule: string): unknown {
  const reading = readRule(rule, MAX_LENGTH);
  if (!reading.ok) throw new Error(reading.message);
  const { at, ...condition } = reading.expression;
  expect(at).toBe(1);
  return condition;
}

const phrase = (...tokens: string[]) => ({ tokens, lastIsPrefix: false });

describe('operators of rules become conditions (docs/api/streams.md#rules)', () => {
  test.each([
    ['bio:"Bird lover"', { kind: 'profile', part: 'bio', phrase: phrase('bird', 'lover') }],
    ['bio_name:Robin', { kind: 'profile', part: 'name', phrase: phrase('robin') }],
    ['bio_location:Oslo', { kind: 'profile', part: 'location', phrase: phrase('oslo') }],
    ['url_title:pond', { kind: 'link', part: 'title', phrase: phrase('pond') }],
    ['url_description:pond', { kind: 'link', part: 'description', phrase: phrase('pond') }],
    ['url_contains:"Example.org/A"', { kind: 'address-part', text: 'example.org/a' }],
    ['source:"My Bot"', { kind: 'source', name: 'my bot' }],
    ['followers_count:10', { kind: 'author-count', counted: 'followers', least: 10, most: Infinity }],
    ['followers_count:10..20', { kind: 'author-count', counted: 'followers', least: 10, most: 20 }],
    ['tweets_count:1..1', { kind: 'author-count', counted: 'posts', least: 1, most: 1 }],
    ['following_count:0', { kind: 'author-count', counted: 'following', least: 0, most: Infinity }],
    ['listed_count:7', { kind: 'author-count', counted: 'listed', least: 7, most: Infinity }],
    ['min_followers:7', { kind: 'author-count', counted: 'followers', least: 7, most: Infinity }],
    [
      'from_affiliate_of:bob',
      { kind: 'affiliate', role: 'author', user: { by: 'username', username: 'bob' } },
    ],
    ['to_affiliate_of:42', { kind: 'affiliate', role: 'addressee', user: { by: 'id', id: 42n } }],
    ['"grey heron"~3', { kind: 'near', tokens: ['grey', 'heron'], distance: 3 }],
    ['in_reply_to_tweet_id:42', { kind: 'reply-to-post', postId: 42n }],
    ['retweets_of_tweet_id:42', { kind: 'repost-of-post', postId: 42n }],
    ['$TWTR', { kind: 'cashtag', tag: 'twtr' }],
    ['entity:"Café Noir"', { kind: 'entity', name: 'café noir' }],
  ])('%s', (rule, condition) => expect(testOf(rule)).toEqual(condition));
});

test('accents are kept, case and compatible forms are not (docs/api/streams.md#matching)', () => {
  expect(testOf('CAFÉ')).toEqual({ kind: 'text', phrase: phrase('café') });
  expect(testOf('Cafe\u0301')).toEqual(testOf('café'));
  expect(testOf('#Cumpleaños')).toEqual({ kind: 'hashtag', tag: 'cumpleaños' });
  expect(testOf('bio:Straße')).toEqual({ kind: 'profile', part: 'bio', phrase: phrase('strasse') });
});

describe('faults name their position', () => {
  test.each([
    ['cat h:1', "Reference to invalid field 'h' (at position 5)"],
    ['min_likes:5', "Reference to invalid field 'min_likes' (at position 1)"],
    ['cat has:polls', "Reference to invalid operator 'has:polls' (at position 5)"],
    ['has:media', 'is/has/lang cannot be used as a standalone operator (at position 1)'],
    ['sample:10', 'is/has/lang cannot be used as a standalone operator (at position 1)'],
    ['-cat', 'Rule must contain at least one positive, non-stopword clause (at position 1)'],
    ['cat -sample:10', 'sample:10 must not be negated (at position 6)'],
    ['cat -(dog sample:10)', 'sample:10 must not be negated (at position 11)'],
    ['cat is:nullcast', 'is:nullcast must be negated (at position 5)'],
    ['cat dog)', "missing EOF at ')' (at position 7)"],
    [
      'cat followers_count:20..10',
      'followers_count: value [20..10] must be a whole number or a range such as 10..20 (at position 5)',
    ],
    ['"a b"~7', '"a b"~7: the distance [7] must be a whole number from 1 to 6 (at position 1)'],
    ['"a b"~0', '"a b"~0: the distance [0] must be a whole number from 1 to 6 (at position 1)'],
    ['"!"~2', '"!"~2: there must be letters or digits between the quotes (at position 1)'],
    ['"a b"~', "no viable alternative at character '~' (at position 6)"],
    ['cat~2 "a', "mismatched character '<EOF>' expecting '\"' (at position 9)"],
    ['url_contains:" "', 'url_contains: value [ ] must be a part of an address (at position 1)'],
  ])('%s', (rule, fault) => expect(faultsOf(rule)).toEqual([fault]));

  test('several faults are reported together', () => {
    expect(faultsOf('has:polls a:1')).toHaveLength(2);
  });

  test('the length is limited', () => {
    expect(faultsOf('x'.repeat(512), 512)).toEqual([]);
    expect(faultsOf('x'.repeat(513), 512)).toEqual([
      'Rule length exceeds limit: 513 characters, maximum 512',
    ]);
  });
});

test('every operator may be used at every level', () => {
  expect(faultsOf('cat place_country:us $A point_radius:[1 2 3mi] has:geo sample:10 list:7')).toEqual([]);
});

test('no text makes the reader throw', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab "~19:.#@()-[] \u{1f44d}é', 'bio:', 'OR ') });
  fc.assert(
    fc.property(text, (rule) => {
      const reading = readRule(rule, MAX_LENGTH);
      if (!reading.ok) expect(reading.faults.length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});
