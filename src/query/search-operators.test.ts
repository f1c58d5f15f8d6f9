import { describe, expect, test } from 'vitest';
import { type ReadOptions, readQuery } from './read-query.js';
import { SEARCH_LANGUAGE } from './search-operators.js';

const ESSENTIAL: ReadOptions = { level: 'essential', track: 'standard', product: 'recent' };
const ELEVATED: ReadOptions = { level: 'elevated', track: 'standard', product: 'recent' };
const RESEARCH: ReadOptions = { level: 'essential', track: 'academic_research', product: 'all' };

function messageOf(query: string, options: ReadOptions): string | undefined {
  const reading = readQuery(query, options);
  return reading.ok ? undefined : reading.message;
}

/** Returns the condition of a query with one operator, without its position. */
function testOf(query: string, options: ReadOptions = ELEVATED): unknown {
  const reading = readQuery(query, options);
  if (!reading.ok) throw new Error(reading.message);
  const { at, ...condition } = reading.expression;
  expect(at).toBe(1);
  return condition;
}

describe('operators are standalone or need one that is (docs/api/search.md#operators)', () => {
  const STANDALONE = [
    ...['cat', '😂', '"grumpy cat"', '#tag', '@user', '$tag', 'from:bob', 'to:7', 'url:"https://x.org/a"'],
    ...['retweets_of:bob', 'retweets_of_user:7', 'in_reply_to_tweet_id:1', 'in_reply_to_status_id:1'],
    ...['retweets_of_tweet_id:1', 'retweets_of_status_id:1', 'quotes_of_tweet_id:1', 'quotes_of_status_id:1'],
    ...[
      'conversation_id:1',
      'context:10.7',
      'context:*.7',
      'context:10.*',
      'entity:"Barack Obama"',
      'list:1',
    ],
    ...['place:"new york city"', 'place:01a9a39529b27f36', 'place_country:us', 'sample:10', 'min_likes:5'],
    ...['min_replies:5', 'min_reposts:5', 'point_radius:[2.355128 48.861118 16km]'],
    ...['bounding_box:[-105.3 39.96 -105.17 40.09]', 'geo_bounding_box:[-105.3 39.96 -105.17 40.09]'],
  ];
  const CONJUNCTION = [
    ...['is:retweet', 'is:reply', 'is:quote', 'is:verified', 'has:hashtags', 'has:links', 'has:mentions'],
    ...[
      'has:cashtags',
      'has:media',
      'has:media_link',
      'has:images',
      'has:videos',
      'has:video_link',
      'has:geo',
    ],
    ...['lang:en', 'lang:und', 'lang:zh-cn', 'lang:ID'],
  ];

  test.each(STANDALONE)('%s may stand alone', (query) => {
    expect(messageOf(query, ELEVATED)).toBeUndefined();
    expect(messageOf(`-${query}`, ELEVATED)).toContain('at least one positive');
    expect(messageOf(`cat -${query}`, ELEVATED)).toBeUndefined();
  });

  test.each(CONJUNCTION)('%s may not stand alone', (query) => {
    expect(messageOf(query, ELEVATED)).toContain('is/has/lang cannot be used as a standalone operator');
    expect(messageOf(`cat ${query}`, ELEVATED)).toBeUndefined();
    expect(messageOf(`cat -${query}`, ELEVATED)).toBeUndefined();
  });

  test('these include every operator of the set', () => {
    const named = new Set([...STANDALONE, ...CONJUNCTION].map((query) => query.split(':')[0]));
    expect([...SEARCH_LANGUAGE.operators.keys()].filter((name) => !named.has(name))).toEqual([]);
  });

  test.each([
    ['cats -(-dogs)', true],
    ['-(-dogs)', true],
    ['-(-dogs has:media)', false],
    ['-(-dogs OR has:media)', true],
    ['(cat OR dog) has:media', true],
    ['(cat OR has:links) has:media', false],
    ['(cat OR has:links) dog', true],
  ])('%s: %s', (query, valid) => expect(readQuery(query, ELEVATED).ok).toBe(valid));
});

describe('advanced operators need Elevated access or the research track (docs/api/authentication.md#levels-and-tracks)', () => {
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

  test.each(ADVANCED)('%s', (query) => {
    for (const level of ['essential', 'basic'] as const) {
      expect(messageOf(query, { ...ESSENTIAL, level })).toContain('Reference to invalid operator');
    }
    expect(messageOf(query, ELEVATED)).toBeUndefined();
    expect(messageOf(query, RESEARCH)).toBeUndefined();
  });

  test('entity: is available in recent search only', () => {
    expect(messageOf('entity:"x"', RESEARCH)).toContain("Reference to invalid operator 'entity'");
  });

  test.each([
    ...[
      'bio:x',
      'bio_name:x',
      'bio_location:x',
      'followers_count:1',
      'tweets_count:1..5',
      'following_count:1',
    ],
    ...['listed_count:1', 'url_title:x', 'url_description:x', 'url_contains:x', 'source:x', 'since:2020'],
  ])('%s is not a search operator', (query) =>
    expect(messageOf(query, RESEARCH)).toContain('Reference to invalid operator'),
  );
});

describe('values become conditions', () => {
  test.each([
    ['Coca-Cola', { kind: 'text', phrase: { tokens: ['coca', 'cola'], lastIsPrefix: false } }],
    ['"Café au lait"', { kind: 'text', phrase: { tokens: ['cafe', 'au', 'lait'], lastIsPrefix: false } }],
    ['京', { kind: 'text', phrase: { tokens: ['京'], lastIsPrefix: true } }],
    ['#Cumpleaños', { kind: 'hashtag', tag: 'cumpleanos' }],
    ['@Bob', { kind: 'mention', username: 'bob' }],
    ['$TWTR', { kind: 'cashtag', tag: 'twtr' }],
    ['from:Bob', { kind: 'from', user: { by: 'username', username: 'bob' } }],
    ['from:"Bob"', { kind: 'from', user: { by: 'username', username: 'bob' } }],
    ['from:42', { kind: 'from', user: { by: 'id', id: 42n } }],
    ['to:42', { kind: 'to', user: { by: 'id', id: 42n } }],
    ['retweets_of:bob', { kind: 'reposts-of-user', user: { by: 'username', username: 'bob' } }],
    ['conversation_id:12', { kind: 'conversation', postId: 12n }],
    ['context:10.*', { kind: 'context', domainId: '10' }],
    ['context:*.799022225751871488', { kind: 'context', entityId: '799022225751871488' }],
    ['entity:"Barack Obama"', { kind: 'entity', name: 'barack obama' }],
    ['place_country:us', { kind: 'place-country', countryCode: 'US' }],
    ['sample:100', { kind: 'sample', percent: 100 }],
    ['min_likes:0', { kind: 'min-count', counted: 'likes', minimum: 0 }],
    [
      'point_radius:[ -1.5 2 10KM ]',
      { kind: 'point-radius', longitude: -1.5, latitude: 2, radiusMetres: 10_000 },
    ],
  ])('%s', (query, condition) => expect(testOf(query)).toEqual(condition));

  test.each([
    ['lang:he', 'iw'],
    ['lang:id', 'in'],
    ['lang:ZH-tw', 'zh-TW'],
    ['lang:UND', 'und'],
  ])("%s is the wire's %s", (query, lang) => {
    const reading = readQuery(`cat ${query}`, ESSENTIAL);
    expect(reading).toMatchObject({ ok: true, expression: { operands: [{}, { kind: 'lang', lang }] } });
  });

  test.each([
    ...['from:a-b', 'from:[1 2]', 'from:""', 'to:abcdefghijklmnopqrstu', 'conversation_id:abc', 'list:-1'],
    ...[
      'conversation_id:99999999999999999999',
      'context:10',
      'context:*.*',
      'context:a.b',
      'entity:""',
      'entity:" "',
    ],
    ...[
      'sample:101',
      'sample:1.5',
      'sample:x',
      'place_country:USA',
      'place_country:1',
      'min_likes:-1',
      'url:"/"',
    ],
    ...[
      'point_radius:[1 2 3]',
      'point_radius:[1 2 3ft]',
      'point_radius:[181 2 3mi]',
      'point_radius:[1 91 3mi]',
    ],
    ...['point_radius:[1 2 0mi]', 'point_radius:[1 2 41km]', 'point_radius:[1 2 3mi 4]', 'point_radius:[]'],
    ...['point_radius:1', 'point_radius:"1 2 3mi"', 'bounding_box:[1 2 3]', 'bounding_box:[1 2 1.1 2.1 5]'],
    ...['bounding_box:[1.1 2 1 2.1]', 'bounding_box:[1 2.1 1.1 2]', 'bounding_box:[1 2 1.1 NaN]'],
    ...['bounding_box:[1 2 2 2.1]', 'bounding_box:[1 2 1.1 3]', 'bounding_box:[1 2 1e0 2.1]'],
  ])('%s has a bad value', (query) =>
    expect(messageOf(query, ELEVATED)).toMatch(
      /^There were errors processing your request: [a-z_]+: .+ \(at position 1\)$/,
    ),
  );
});
