import type { Random } from '../faults/support/random.js';

/** Strings and bytes that no sane client sends. */

const BYTE_ORDER_MARK = '\uFEFF';

const SHORT = [
  '',
  ' ',
  '0',
  '-1',
  '00404',
  '1e9',
  'NaN',
  '9999999999999999999',
  '99999999999999999999999999',
  'null',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  '\0',
  'a\0b',
  BYTE_ORDER_MARK,
  '\u202Eabc',
  '\uD800',
  '\uDC00\uD800',
  'é\u0301'.repeat(5),
  '👩‍👩‍👧‍👦',
  '😀',
  'İ',
  'ß',
  '\r\nX-Injected: 1',
  'https://a.example/?q=[(#@$)]',
  '@wren @heron #x $Y https://x.example',
  '2022-13-45T99:99:99Z',
  '2010-11-06T00:00:00Z',
  '2030-01-01T00:00:00+14:00',
] as const;

const REPEATED = [
  'a',
  '@',
  '#',
  '\n',
  ' ',
  '(',
  '"',
  '-',
  '%',
  ',',
  '.',
  ':',
  '😀',
  '\u0301',
  '字',
  'a.',
  '@a ',
  'a OR ',
  '-a ',
  'https://',
  'http://a.b/',
  '1,',
  '<!--',
  '&amp;',
] as const;

/** Returns a text of at most about this length. */
export function oddText(random: Random, maxLength = 20_000): string {
  if (random.below(3) > 0) return random.pick(SHORT);
  const part = random.pick(REPEATED);
  const lengths = [3, 20, 300, 5_000, maxLength] as const;
  const length = Math.min(maxLength, random.pick(lengths));
  return part.repeat(Math.ceil(length / part.length)) + (random.below(2) === 0 ? '' : '!');
}

/** Returns a search query: nested, wide or of invalid words. */
export function oddQuery(random: Random): string {
  const depth = random.pick([1, 5, 60, 250, 500]);
  switch (random.below(6)) {
    case 0:
      return '('.repeat(depth) + 'a' + ')'.repeat(depth);
    case 1:
      return `${'(a OR '.repeat(depth)}b${')'.repeat(depth)}`;
    case 2:
      return `${'-(a b '.repeat(depth)}c${')'.repeat(depth)}`;
    case 3:
      return Array.from({ length: depth }, (_, index) => `w${index}`).join(random.pick([' ', ' OR ', ' -']));
    case 4:
      return `${random.pick(['from', 'to', 'url', 'place', 'point_radius', 'lang', 'zz'])}:${oddText(random, 500)}`;
    default:
      return `"${oddText(random, 500)}" ${oddText(random, 500)}`;
  }
}

/** Returns JSON text: a damaged example, or something else. */
export function oddJson(random: Random, example: unknown): string {
  const depth = random.pick([2, 19, 20, 21, 5_000, 150_000]);
  switch (random.below(8)) {
    case 0:
      return '['.repeat(depth) + ']'.repeat(depth);
    case 1:
      return '{"text":'.repeat(depth) + '1' + '}'.repeat(depth);
    case 2:
      return JSON.stringify(example).replace(/}$/, `,"more":${'['.repeat(depth)}1${']'.repeat(depth)}}`);
    case 3:
      return JSON.stringify(example).replace(/"([^"]*)"(?=[,}\]])/, '12345678901234567890');
    case 4:
      return `[${'1234567890123456789,'.repeat(random.pick([1, 1000, 40_000]))}1]`;
    case 5:
      return random.pick(['', 'null', '1', '"x"', '{', '{"a":1,}', '{"__proto__":{"a":1}}', '[[]', '\0']);
    default:
      return JSON.stringify(withOddMember(random, example));
  }
}

/** Returns the value with one of its parts replaced. */
function withOddMember(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.below(4) > 0) {
    const many = random.pick([1, 2, 5, 200, 5_000]);
    return Array.from({ length: many }, () => withOddMember(random, value[0]));
  }
  if (typeof value === 'object' && value !== null && random.below(6) > 0) {
    const names = Object.keys(value);
    const chosen = names[random.below(names.length + 1)] ?? oddText(random, 50);
    const member = (value as Record<string, unknown>)[chosen];
    return { ...value, [chosen]: withOddMember(random, member) };
  }
  return random.pick([oddText(random), oddText(random, 300), value, null, [], {}, -1, 1e308, 0.5, true]);
}

/** Encodes a text, not always in the declared encoding. */
export function encodeOddly(random: Random, text: string): Buffer {
  switch (random.below(10)) {
    case 0:
      return Buffer.from(BYTE_ORDER_MARK + text);
    case 1:
      return Buffer.from(BYTE_ORDER_MARK + text, 'utf16le');
    case 2:
      return Buffer.from(text, 'utf16le').swap16();
    case 3:
      return Buffer.from(text, 'latin1');
    case 4:
      return damage(random, Buffer.from(text));
    default:
      return Buffer.from(text);
  }
}

/** Changes, truncates or repeats some bytes, or replaces them with noise. */
export function damage(random: Random, bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  const at = random.below(damaged.length + 1);
  switch (random.below(5)) {
    case 0:
      return damaged.subarray(0, at);
    case 1:
      return Buffer.concat([damaged, damaged.subarray(at)]);
    case 2:
      return noise(random, random.pick([0, 1, 16, 1_000, 100_000]));
    default:
      for (let count = random.pick([1, 3, 30]); count > 0 && damaged.length > 0; count -= 1) {
        damaged[random.below(damaged.length)] = random.pick([0, 0xff, 0xc0, 0x80, random.below(256)]);
      }
      return damaged;
  }
}

export function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
