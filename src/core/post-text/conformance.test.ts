import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type TextEntities, extractEntities } from './extract.js';
import { MAX_POST_WEIGHT } from '../limits.js';
import { weightedLength } from './length.js';
import { hasInvalidCharacters } from './normalize.js';

/** The published conformance cases of the text rules; external test data, absent in a bare checkout. */
const folder = new URL('../../../../shared/data/twitter-text/conformance/', import.meta.url);
const present = existsSync(folder);

interface Case {
  readonly description: string;
  readonly text: string;
  readonly expected: unknown;
}

function casesOf(file: string): Record<string, Case[]> {
  if (!present) return {};
  return (parse(readFileSync(new URL(file, folder), 'utf8')) as { tests: Record<string, Case[]> }).tests;
}

const extract = casesOf('extract.yml');
const validate = casesOf('validate.yml');
const tlds = casesOf('tlds.yml');

/** Creates a test for each case of a group; a visible skip if the data is absent. */
function eachCase(group: string, cases: readonly Case[] | undefined, check: (given: Case) => void): void {
  describe.skipIf(!present)(`published cases: ${group}`, () => {
    test('there are cases', () => expect(cases?.length).toBeGreaterThan(0));
    for (const given of cases ?? []) test(given.description, () => check(given));
  });
}

const usersOf = ({ mentions }: TextEntities) => mentions.filter((mention) => mention.listSlug === undefined);

const readings: Record<string, (text: string) => unknown> = {
  mentions: (text) => usersOf(extractEntities(text)).map(({ username }) => username),
  mentions_with_indices: (text) =>
    usersOf(extractEntities(text)).map(({ username, start, end }) => ({
      screen_name: username,
      indices: [start, end],
    })),
  mentions_or_lists_with_indices: (text) =>
    extractEntities(text).mentions.map(({ username, listSlug, start, end }) => ({
      screen_name: username,
      list_slug: listSlug === undefined ? '' : `/${listSlug}`,
      indices: [start, end],
    })),
  urls: (text) => extractEntities(text).urls.map(({ url }) => url),
  tco_urls_with_params: (text) => extractEntities(text).urls.map(({ url }) => url),
  urls_with_indices: (text) =>
    extractEntities(text).urls.map(({ url, start, end }) => ({ url, indices: [start, end] })),
  urls_with_directional_markers: (text) =>
    extractEntities(text).urls.map(({ url, start, end }) => ({ url, indices: [start, end] })),
  hashtags: (text) => extractEntities(text).hashtags.map(({ tag }) => tag),
  hashtags_from_astral: (text) => extractEntities(text).hashtags.map(({ tag }) => tag),
  hashtags_with_indices: (text) =>
    extractEntities(text).hashtags.map(({ tag, start, end }) => ({ hashtag: tag, indices: [start, end] })),
  cashtags: (text) => extractEntities(text).cashtags.map(({ tag }) => tag),
  cashtags_with_indices: (text) =>
    extractEntities(text).cashtags.map(({ tag, start, end }) => ({ cashtag: tag, indices: [start, end] })),
};

for (const [group, read] of Object.entries(readings)) {
  eachCase(`extract ${group}`, extract[group], ({ text, expected }) => expect(read(text)).toEqual(expected));
}

test.skipIf(!present)('every group of extract.yml is read except "replies", which is not used here', () => {
  expect(Object.keys(extract).filter((group) => !(group in readings))).toEqual(['replies']);
});

for (const [group, cases] of Object.entries(tlds)) {
  test.skipIf(!present)(`published cases: every ${group} top-level domain makes a link`, () => {
    for (const { text, expected } of cases) expect(readings.urls?.(text), text).toEqual(expected);
  });
}

/**
 * Cases of the second text configuration, which counted the parts of an emoji sequence separately. The current, third
 * one counts 2 per sequence: its own group has the same texts with these weights.
 */
const weightsOfThirdConfiguration: Record<string, number> = {
  'Count a mix of single byte single word, and double word unicode characters': 7,
  'Count unicode emoji chars outside the basic multilingual plane with skin tone modifiers': 4,
};

interface Weighed {
  readonly weightedLength: number;
  readonly valid: boolean;
}

for (const group of [
  'WeightedTweetsCounterTest',
  'WeightedTweetsWithDiscountedEmojiCounterTest',
  'UnicodeDirectionalMarkerCounterTest',
]) {
  eachCase(`validate ${group}`, validate[group], ({ description, text, expected }) => {
    const { weightedLength: published, valid } = expected as Weighed;
    const weight = weightedLength(text);
    expect(weight).toBe(weightsOfThirdConfiguration[description] ?? published);
    expect(weight <= MAX_POST_WEIGHT && !hasInvalidCharacters(text)).toBe(valid);
  });
}

/** The cases of the group "tweets" assume a limit of 140 unweighted characters; these two violate only that. */
const withinTodaysLimit = ['Invalid Tweet: 141 characters', 'Invalid Tweet: 141 characters (due to newline)'];

eachCase('validate tweets', validate.tweets, ({ description, text, expected }) => {
  const weight = weightedLength(text);
  const valid = weight > 0 && weight <= MAX_POST_WEIGHT && !hasInvalidCharacters(text);
  expect(valid).toBe(withinTodaysLimit.includes(description) || expected);
});

eachCase('validate usernames', validate.usernames, ({ text, expected }) => {
  const whole = usersOf(extractEntities(text)).some(({ username }) => `@${username}` === text);
  expect(whole).toBe(expected);
});

eachCase('validate lists', validate.lists, ({ text, expected }) => {
  const whole = extractEntities(text).mentions.some(
    ({ username, listSlug }) => listSlug !== undefined && `@${username}/${listSlug}` === text,
  );
  expect(whole).toBe(expected);
});

eachCase('validate hashtags', validate.hashtags, ({ text, expected }) => {
  expect(extractEntities(text).hashtags.some(({ tag }) => `#${tag}` === text)).toBe(expected);
});

/**
 * Valid URIs (RFC 3986), which those cases test, but links in a text have no user or IP address and do not end in
 * '+'.
 */
const addressesThatAreNoLinks = ['port and userinfo', 'ipv4', 'ipv6', 'sub delims and question marks'];

for (const group of ['urls', 'urls_without_protocol']) {
  eachCase(`validate ${group}`, validate[group], ({ description, text, expected }) => {
    const whole = extractEntities(text).urls.some(({ url }) => url === text);
    expect(whole).toBe(
      expected === true && !addressesThatAreNoLinks.includes(description.replace('Valid url: ', '')),
    );
  });
}
