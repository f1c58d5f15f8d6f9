import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Syntax } from './ast.js';
import { parse } from './parser.js';
import { print } from './print.js';

/** Any character, including lone surrogates, with a bias towards ASCII. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint));

function syntaxOf(query: string): Syntax {
  const parsed = parse(query);
  if (!parsed.ok) throw new Error(parsed.faults.join(', '));
  return parsed.syntax;
}

/** Formats an expression with explicit groups. */
function shape(syntax: Syntax): string {
  if (syntax.kind === 'and' || syntax.kind === 'or') {
    return `(${syntax.operands.map(shape).join(syntax.kind === 'and' ? ' & ' : ' | ')})`;
  }
  return syntax.kind === 'not' ? `!${shape(syntax.operand)}` : print(syntax);
}

function faultsOf(query: string): readonly string[] {
  const parsed = parse(query);
  return parsed.ok ? [] : parsed.faults;
}

describe('AND binds before OR (docs/api/search.md#grammar)', () => {
  test.each([
    ['apple OR iphone ipad', '(apple | (iphone & ipad))'],
    ['ipad iphone OR android', '((ipad & iphone) | android)'],
    ['from:a OR from:b -from:c', '(from:a | (from:b & !from:c))'],
    ['(apple OR iphone) ipad', '((apple | iphone) & ipad)'],
    ['cats -(a OR b)', '(cats & !(a | b))'],
    ['a OR (b OR (c OR d))', '(a | b | c | d)'],
    ['((a) (b c))', '(a & b & c)'],
    ['-(-a)', '!!a'],
    ['or OR and', '(or | and)'],
  ])('%s', (query, expected) => expect(shape(syntaxOf(query))).toBe(expected));
});

describe('each kind of atom has its value and its position', () => {
  test.each([
    ['cat', { kind: 'keyword', at: 1, text: 'cat' }],
    ['  cat', { kind: 'keyword', at: 3, text: 'cat' }],
    ["don't", { kind: 'keyword', at: 1, text: "don't" }],
    ['coca-cola', { kind: 'keyword', at: 1, text: 'coca-cola' }],
    ['😂', { kind: 'keyword', at: 1, text: '😂' }],
    ['#️⃣', { kind: 'keyword', at: 1, text: '#️⃣' }],
    ['"OR"', { kind: 'phrase', at: 1, text: 'OR' }],
    ['"from:bob"', { kind: 'phrase', at: 1, text: 'from:bob' }],
    ['"twitter data"', { kind: 'phrase', at: 1, text: 'twitter data' }],
    ['"say \\"hi\\" \\o/"', { kind: 'phrase', at: 1, text: 'say "hi" \\o/' }],
    ['#Tag', { kind: 'hashtag', at: 1, name: 'Tag' }],
    ['$TWTR', { kind: 'cashtag', at: 1, name: 'TWTR' }],
    ['$BRK.A', { kind: 'cashtag', at: 1, name: 'BRK.A' }],
    ['@Bob_1', { kind: 'mention', at: 1, name: 'Bob_1' }],
    ['FROM:Bob', { kind: 'operator', at: 1, name: 'from', value: { form: 'word', text: 'Bob' } }],
    [
      'url:"https://x.org/a"',
      { kind: 'operator', at: 1, name: 'url', value: { form: 'quoted', text: 'https://x.org/a' } },
    ],
    [
      'point_radius:[1 2 3km]',
      { kind: 'operator', at: 1, name: 'point_radius', value: { form: 'brackets', text: '1 2 3km' } },
    ],
    ['context:10.*', { kind: 'operator', at: 1, name: 'context', value: { form: 'word', text: '10.*' } }],
  ])('%s', (query, atom) => expect(syntaxOf(query)).toEqual(atom));

  test('positions count code points, not UTF-16 units', () => {
    expect(syntaxOf('😂 😂 cat')).toMatchObject({ operands: [{ at: 1 }, { at: 3 }, { at: 5 }] });
  });
});

describe('syntax faults are reported with their position (docs/api/search.md#errors)', () => {
  test.each([
    ["(pepsi OR cola OR 'coca cola')", ["no viable alternative at character ''' (at position 19)"]],
    [
      "(artificial intelligence OR machine learning OR 'AI applications' OR 'data science') (#AI)",
      [
        "no viable alternative at character ''' (at position 49)",
        "no viable alternative at character ''' (at position 70)",
      ],
    ],
    ['%24tsla', ["no viable alternative at character '%' (at position 1)"]],
    ['“cat”', ["no viable alternative at character '“' (at position 1)"]],
    ['#anti-book', ["no viable alternative at character '-' (at position 6)"]],
    ['$TWTR.', ["no viable alternative at character '.' (at position 6)"]],
    ['cat $', ["no viable alternative at character '$' (at position 5)"]],
    ['cat @', ["no viable alternative at character '@' (at position 5)"]],
    ['cat @bob, dog', ["no viable alternative at character ',' (at position 9)"]],
    ['*', ["no viable alternative at character '*' (at position 1)"]],
    ['"cat dog"~2', ["no viable alternative at character '~' (at position 10)"]],
    ['$5', ["no viable alternative at character '$' (at position 1)"]],
    [':)', ["no viable alternative at character ':' (at position 1)"]],
    ['[(OpenAI OR GPT-3) (#OpenAI OR #AI)]', ["no viable alternative at input '[' (at position 1)"]],
    [
      '(horrible OR worst OR sucks OR bad OR disappointing) (place_country:US OR place_country:CA',
      ["missing EOF at ')' (at position 51)"],
    ],
    ['cat)', ["missing EOF at ')' (at position 3)"]],
    ['(cat', ["missing EOF at ')' (at position 4)"]],
    ['()', ["no viable alternative at input ')' (at position 2)"]],
    ['cat -OR dog', ["no viable alternative at input 'OR' (at position 6)"]],
    ['from:(a OR b)', ["no viable alternative at input ':' (at position 5)"]],
    ['cat OR', ["no viable alternative at input '<EOF>' (at position 7)"]],
    ['OR cat', ["no viable alternative at input 'OR' (at position 1)"]],
    ['cat OR OR dog', ["no viable alternative at input 'OR' (at position 8)"]],
    ['cat - dog', ["no viable alternative at input '-' (at position 5)"]],
    ['--cat', ["no viable alternative at input '-' (at position 2)"]],
    ['from: bob', ["no viable alternative at input ':' (at position 5)"]],
    ['cat from:', ["no viable alternative at input ':' (at position 9)"]],
    ['"cat', ["mismatched character '<EOF>' expecting '\"' (at position 5)"]],
    ['"cat\\"', ["mismatched character '<EOF>' expecting '\"' (at position 7)"]],
    ['point_radius:[1 2', ["mismatched character '<EOF>' expecting ']' (at position 18)"]],
    ['', ["no viable alternative at input '<EOF>' (at position 1)"]],
  ])('%s', (query, faults) => expect(faultsOf(query)).toEqual(faults));
});

describe('printing', () => {
  test.each([
    ['  a   b ', 'a b'],
    ['((a OR b)) c', '(a OR b) c'],
    ['(a b) OR c', 'a b OR c'],
    ['-(a b)', '-(a b)'],
    ['FROM:Bob "a \\"b\\""', 'from:Bob "a \\"b\\""'],
    // The lower-case name ends with a mark.
    ['\u0130:x', 'i\u0307:x'],
  ])('%s is printed as %s', (query, printed) => {
    expect(print(syntaxOf(query))).toBe(printed);
    expect(shape(syntaxOf(printed))).toBe(shape(syntaxOf(query)));
    expect(syntaxOf(printed).kind).toBe(syntaxOf(query).kind);
  });
});

/** A query as text, and its meaning in the format of `shape`. */
interface Written {
  readonly kind: 'and' | 'or' | 'single';
  readonly text: string;
  /** The shapes of its operands; one if it is single. */
  readonly of: readonly string[];
}

const atom = fc
  .constantFrom('cat', '"a b"', '#tag', '@bob', '$ab', 'from:bob', 'point_radius:[1 2 3mi]', '😂', 'oR')
  .map((text): Written => ({ kind: 'single', text, of: [text] }));

function shapeOf({ kind, of }: Written): string {
  return kind === 'single' ? of.join('') : `(${of.join(kind === 'and' ? ' & ' : ' | ')})`;
}

/** Negates an atom or a group. */
const negated = (one: Written): Written => ({
  kind: 'single',
  text: `-${one.text}`,
  of: [`!${shapeOf(one)}`],
});

/** Groups a query. Its meaning stays the same; nested groups of one kind are merged. */
const grouped = (one: Written): Written => ({ ...one, text: `(${one.text})` });

function joined(kind: 'and' | 'or', operands: readonly Written[], between: string): Written {
  return {
    kind,
    text: operands.map(({ text }) => text).join(between),
    of: operands.flatMap((one) => (one.kind === kind ? one.of : [shapeOf(one)])),
  };
}

test('groups, blanks, OR and signs determine the meaning of a query (docs/api/search.md#grammar)', () => {
  const blank = fc.constantFrom(' ', '  ', '\t', '\n');
  const some = (of: fc.Arbitrary<Written>) => fc.array(of, { minLength: 2, maxLength: 3 });
  const { any } = fc.letrec<Record<'any' | 'part' | 'and' | 'or', Written>>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4 },
      atom,
      atom.map(negated),
      tie('any').map(grouped),
      tie('any').map(grouped).map(negated),
    ),
    and: fc.tuple(some(tie('part')), blank).map(([parts, between]) => joined('and', parts, between)),
    or: fc
      .tuple(some(fc.oneof(tie('part'), tie('and'))), blank, blank)
      .map(([parts, before, after]) => joined('or', parts, `${before}OR${after}`)),
    any: fc.oneof(tie('part'), tie('and'), tie('or')),
  }));
  fc.assert(
    fc.property(any, (written) => {
      expect(shape(syntaxOf(written.text)), written.text).toBe(shapeOf(written));
    }),
    { numRuns: 2000 },
  );
});

describe('any text', () => {
  const part = fc.constantFrom(
    ...[
      '(',
      ')',
      '-',
      '"',
      '\\',
      '[',
      ']',
      ':',
      '#',
      '$',
      '@',
      "'",
      'OR',
      'and',
      ' ',
      ' ',
      'a',
      'é',
      '😂',
      '東',
    ],
    ...[
      'from:',
      'is:reply',
      'has:media',
      'lang:en',
      'point_radius:[1 2 3mi]',
      '#tag',
      '@bob',
      '$ab',
      '\ud800',
      '1️⃣',
    ],
  );
  const hostile = fc.oneof(
    fc.string({ unit: character, maxLength: 200 }),
    fc.array(part, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.array(part, { maxLength: 60 }).map((parts) => parts.join(' ')),
  );

  test('is parsed or refused, and printing preserves its meaning', () => {
    fc.assert(
      fc.property(hostile, (query) => {
        const parsed = parse(query);
        if (!parsed.ok) {
          expect(parsed.faults.length).toBeGreaterThan(0);
          return;
        }
        const printed = print(parsed.syntax);
        expect(print(syntaxOf(printed))).toBe(printed);
        expect(shape(syntaxOf(printed))).toBe(shape(parsed.syntax));
      }),
      { numRuns: 5000 },
    );
  });

  test.each(['(', ')', '-(', '-', '"', '\\"', '[', 'a:', "'", '((a) ', 'a OR (', '#', ':[', ' ', 'a(b OR '])(
    '4,096 characters of %j are handled',
    (unit) => {
      const query = unit.repeat(Math.ceil(4096 / unit.length)).slice(0, 4096);
      const parsed = parse(query);
      if (parsed.ok) print(parsed.syntax);
      else expect(parsed.faults.length).toBeGreaterThan(0);
    },
  );

  test('with as many nested groups as fit into 1,024 characters is parsed', () => {
    const query = `${'('.repeat(511)}ab${')'.repeat(511)}`;
    expect(syntaxOf(query)).toEqual({ kind: 'keyword', at: 512, text: 'ab' });
    expect(print(syntaxOf(`${'-('.repeat(341)}a${')'.repeat(341)}`))).toContain('-(-(-a))');
  });
});
