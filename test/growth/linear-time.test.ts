import { beforeAll, expect, it } from 'vitest';
import { startCpuTime } from '../support/cpu-time.js';
import { parseJson } from '../../src/http/json.js';
import { readArguments } from '../../src/api/call-arguments.js';
import { searchEndpoints } from '../../src/api/routes/search.js';
import { isPlainLine } from '../../src/core/plain-line.js';
import { fromBase64 } from '../../src/api/media/base64.js';
import { readIdLines } from '../../src/core/id-lines.js';
import { beginningOf } from '../../src/core/post-text/cut.js';
import { escapedOffsets, unescapeText } from '../../src/core/post-text/escape.js';
import { extractEntities } from '../../src/core/post-text/extract.js';
import { loadLanguageDetector, type LanguageDetector } from '../../src/core/post-text/language.js';
import { weightedLength } from '../../src/core/post-text/length.js';
import { hasInvalidCharacters, normalizePostText } from '../../src/core/post-text/normalize.js';
import { queryTokens, titleTokens } from '../../src/core/space.js';
import { foldText } from '../../src/core/search-text/fold.js';
import { parseForm, isOAuth1Header, parseOAuth1Header } from '../../src/auth/oauth1/protocol.js';
import { readBasic } from '../../src/auth/basic.js';
import { createClientAddress } from '../../src/auth/client-address.js';
import { createBaseUrlCandidates } from '../../src/auth/oauth1/base-urls.js';
import { parseContentRange } from '../../src/http/content-range.js';
import { originForm } from '../../src/api/routing.js';
import { parse } from '../../src/query/parser.js';
import { readRule } from '../../src/query/read-query.js';
import { nameFaults, profileFaults } from '../../src/services/accounts/account-rules.js';
import { isSubtitles } from '../../src/services/media/subtitles.js';
import { linkedPostAtEnd, linkedPosts, withoutLastWord } from '../../src/services/posts/status-links.js';
import { namedKeys } from '../../src/journal/named-keys.js';
import { headerTemplate, textTemplate } from '../../src/web/inspector/copies/sent-request.js';
import { textDifference } from '../../src/web/text-difference.js';
import { visibleText } from '../../src/web/inspector/visible-text.js';
import { hideInHeader, hideInPairs, hideInUrl } from '../../src/journal/hide.js';
import { hideInJson } from '../../src/journal/hide-json.js';
import { hideInPath } from '../../src/journal/hide-path.js';
import { matchesPath } from '../../src/journal/request-pattern.js';
import { readPrefer } from '../../src/sandbox/faults/prefer.js';
import { readCookies } from '../../src/web/cookies.js';

/**
 * The time to read any input grows at most linearly with its length. The linter rejects quadratic patterns; this
 * checks the functions that read input, whatever their implementation.
 */

const SHORT = 1_000;
const FACTOR = 12;

/** A quadratic function takes 144 times as long for 12 times the length; a linear one 12 times, and noise. */
const MAX_FACTOR = 60;

/** Shorter times are too noisy to compare, and harmless. */
const IGNORED_MS = 8;

/** Strings that an attacker repeats, with a prefix and suffix. */
const PUMPS: readonly (readonly [before: string, repeated: string, after: string])[] = [
  ...[...' \n\t\r=/(){}[]<>"\'.,:;!?@#$%&|*+-_~`^\\a0A\u00e9\u0434\u6f22\u0301\u200d\u{1f44d}'].flatMap(
    (one) => [['', one, ''] as const, ['x', one, '\u0000'] as const, ['', one, 'x'] as const],
  ),
  ['a', '\u0301\u0316', ''],
  ['a', '\uff9e\u0316', ''],
  ['', '\u0434', '_\u0434.com'],
  ['http://', '\u0434', '.com'],
  ['', 'a.com/(', ''],
  ['', 'a.co?!', '\u0000'],
  ['', 'http://a_.', ''],
  ['', '\u0434.com.', ''],
  ['', '\u{1f44d}\u200d', ''],
  ['', '@a/', ''],
  ['', '#a\u{1f44d}', '://'],
  ['"', '\\"', ''],
  ['', '"\\', ''],
  ['', '-(', ''],
  ['', 'a OR ', 'a'],
  ['', 'a:[', ''],
  ['', '"a b"~1 ', ''],
  ['', 'followers_count:1..', ''],
  ['', '00:', '00:00,000 -->'],
  ['', '00:00,000 ', '-->'],
  ['', '\n ', '00:00,000'],
  ['', '\r\r\n', ''],
  ['', ' \r', '1'],
  ['', '1234567890123456,', ''],
  ['[', '1234567890123456,', '1]'],
  ['["', '1234567890123456\\"', '"]'],
  ['OAuth ', 'a="b", ', ''],
  ['OAuth ', ' ', '='],
  ['Basic ', ' ', ''],
  ['Basic ', 'YQ==', ''],
  ['bytes ', '0', ''],
  ['for=', '"a";', ''],
  ['', 'proto=a; ', ''],
  ['', '::', ''],
  ['a', '%', ''],
  ['', 'https://x.com/a/status/1 ', ''],
  ['', '&amp;', ''],
  ['', 'a=b&', ''],
  ['', 'a=b; ', ''],
  ['', 'YWJj\n', '=='],
  ['', ' https://', ''],
];

const URL = 'https://pipit.example';
const addressOf = createClientAddress(['127.0.0.1']);
const baseUrlsOf = createBaseUrlCandidates({ baseUrls: [URL], trustedProxies: ['127.0.0.1'] });

let language: LanguageDetector;
beforeAll(async () => {
  language = await loadLanguageDetector();
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  extractEntities,
  weightedLength,
  'the beginning of a long post': (text) => beginningOf(text, extractEntities(text), 280),
  normalizePostText,
  hasInvalidCharacters,
  escapedOffsets,
  unescapeText,
  foldText,
  titleTokens,
  queryTokens,
  'a language detector': (text) => language.detect(text),
  linkedPosts: (text) => linkedPosts(text, URL),
  linkedPostAtEnd: (text) => linkedPostAtEnd(text, URL),
  withoutLastWord,
  'the parser of queries': (text) => parse(text),
  'the reader of rules': (text) => readRule(text, Infinity),
  parseJson,
  'the arguments of tools': (text) => {
    const sent = { query: text, [text]: '', expansions: text.split('a') };
    return searchEndpoints.map((search) => readArguments(search, sent));
  },
  fromBase64: (text) => fromBase64('media', text),
  isSubtitles,
  readIdLines: (text) => readIdLines('', Buffer.from(text)),
  isPlainLine,
  nameFaults,
  profileFaults: (text) => profileFaults({ name: text, description: text, location: text, url: text }),
  parseForm,
  isOAuth1Header,
  parseOAuth1Header,
  readBasic,
  readCookies,
  readPrefer,
  hideInJson: (text) => hideInJson(text, { declared: new Set(), others: true }),
  hideInPath,
  hideInUrl: (text) => hideInUrl(text, { declared: new Set(), others: true, hidesInUrlPaths: true }),
  hideInPairs: (text) => hideInPairs(text, { declared: new Set(), others: true }),
  hideInHeader: (text) =>
    hideInHeader('authorization', `OAuth ${text}`, { declared: new Set(), others: true }),
  'a path and a pattern': (text) => matchesPath('/2/*/{id}/*', text),
  parseContentRange,
  originForm,
  namedKeys: (text) =>
    namedKeys({ authorization: `OAuth ${text}` }, { query: text, body: { bytes: 1, text, isCut: false } }),
  visibleText,
  'the template of a copied request': (text) => [textTemplate(text), headerTemplate('x', text)],
  'the difference of two texts': (text) => textDifference(text, `${text}x`),
  'client addresses': (text) =>
    addressOf({ headers: { 'x-forwarded-for': text }, remoteAddress: '127.0.0.1' }),
  'base URLs': (text) =>
    baseUrlsOf({
      method: 'GET',
      url: '/',
      headers: { forwarded: text, host: text },
      encrypted: false,
      remoteAddress: '127.0.0.1',
    } as unknown as Parameters<typeof baseUrlsOf>[0]),
};

/** Returns the least processor time of several runs, which garbage collection and compilation only increase. */
function leastMs(read: (text: string) => unknown, text: string, runs: number): number {
  let least = Infinity;
  for (let run = 0; run < runs && (run === 0 || least > IGNORED_MS / FACTOR); run += 1) {
    const cpuMs = startCpuTime();
    try {
      read(text);
    } catch {
      // Rejecting input takes time too.
    }
    least = Math.min(least, cpuMs());
  }
  return least;
}

/** Returns the factor between the long and the short text, or a larger linear one; 0 when the time is negligible. */
function growth(read: (text: string) => unknown, textOf: (length: number) => string): number {
  const long = textOf(SHORT * FACTOR);
  const firstMs = leastMs(read, long, 1);
  if (firstMs < IGNORED_MS) return 0;
  const shortMs = leastMs(read, textOf(SHORT), 5);
  // More runs of the long text can only lower the factor.
  if (firstMs <= MAX_FACTOR * shortMs) return firstMs / shortMs;
  const longMs = Math.min(firstMs, leastMs(read, long, 2));
  return longMs < IGNORED_MS ? 0 : longMs / shortMs;
}

it.each(Object.entries(READERS))('%s takes linear time', (_name, read) => {
  const tooSlow = PUMPS.filter(([before, repeated, after]) => {
    const textOf = (length: number): string =>
      before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
    // Garbage collection can make one measurement look slow, but not three.
    return [1, 2, 3].every(() => growth(read, textOf) > MAX_FACTOR);
  });
  expect(tooSlow).toEqual([]);
});

it('distinguishes quadratic from linear time', () => {
  const textOf = (length: number): string => ' '.repeat(length) + 'x';
  expect(growth((text) => /\s+$/.test(text), textOf)).toBeGreaterThan(MAX_FACTOR);
  expect(growth((text) => /^\s+$/.test(text), textOf)).toBeLessThan(MAX_FACTOR);
});
