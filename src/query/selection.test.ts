import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Expression, isAnd, isNot, isOr } from './ast.js';
import { parse } from './parser.js';
import { readQuery } from './read-query.js';
import { type Selection, only, selectionOf } from './selection.js';

interface Letter {
  readonly kind: 'keyword';
  readonly text: string;
}

function shape(selection: Selection<Letter>): string {
  switch (selection.kind) {
    case 'only':
      return selection.leaf.text;
    case 'all':
    case 'any':
      return `(${selection.of.map(shape).join(selection.kind === 'all' ? ' & ' : ' | ')})`;
    case 'except':
      return `(${shape(selection.from)} \\ ${shape(selection.without)})`;
  }
}

function lettersOf(query: string): Expression<Letter> {
  const parsed = parse(query);
  if (!parsed.ok) throw new Error(parsed.faults.join(', '));
  return parsed.syntax as Expression<Letter>;
}

describe('a query becomes a selection without bare negation', () => {
  test.each([
    ['a', 'a'],
    ['a b', '(a & b)'],
    ['a -b', '(a \\ b)'],
    ['a -b -c', '(a \\ (b | c))'],
    ['a b OR c -d', '((a & b) | (c \\ d))'],
    ['a -(b c)', '(a \\ (b & c))'],
    ['a -(b OR c)', '(a \\ (b | c))'],
    ['a -(-b)', '(a & b)'],
    ['a (-b OR -c)', '(a \\ (b & c))'],
    ['a (-b OR c)', '(a \\ (b \\ c))'],
    ['-(-a -b)', '(a | b)'],
  ])('%s', (query, expected) => {
    const selection = selectionOf(lettersOf(query), only);
    expect(selection && shape(selection)).toBe(expected);
  });

  test.each(['-a', '-a -b', 'a OR -b', '-(a b)'])('%s selects a complement', (query) =>
    expect(selectionOf(lettersOf(query), only)).toBeUndefined(),
  );
});

const letters = ['a', 'b', 'c', 'd'];

const query = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...letters),
    fc.tuple(tie('query'), tie('query')).map(([left, right]) => `(${left} ${right})`),
    fc.tuple(tie('query'), tie('query')).map(([left, right]) => `(${left} OR ${right})`),
    tie('query').map((inner) => `-(${inner})`),
  ),
})).query;

function holds(expression: Expression<Letter>, given: ReadonlySet<string>): boolean {
  if (isNot(expression)) return !holds(expression.operand, given);
  if (isAnd(expression)) return expression.operands.every((operand) => holds(operand, given));
  if (isOr(expression)) return expression.operands.some((operand) => holds(operand, given));
  return given.has(expression.text);
}

function selects(selection: Selection<Letter>, given: ReadonlySet<string>): boolean {
  switch (selection.kind) {
    case 'only':
      return given.has(selection.leaf.text);
    case 'all':
      return selection.of.every((each) => selects(each, given));
    case 'any':
      return selection.of.some((each) => selects(each, given));
    case 'except':
      return selects(selection.from, given) && !selects(selection.without, given);
  }
}

describe('any query', () => {
  test('matches the same posts as its selection', () => {
    fc.assert(
      fc.property(query, (text) => {
        const expression = lettersOf(text);
        const selection = selectionOf(expression, only);
        for (let bits = 0; bits < 16; bits++) {
          const given = new Set(letters.filter((_, index) => (bits >> index) % 2 === 1));
          if (selection !== undefined) expect(selects(selection, given)).toBe(holds(expression, given));
        }
        if (selection === undefined) expect(holds(expression, new Set())).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('that passes the checks has a selection', () => {
    let passed = 0;
    fc.assert(
      fc.property(query, (text) => {
        const reading = readQuery(text, { level: 'essential', track: 'standard', product: 'all' });
        if (!reading.ok) return;
        passed += 1;
        expect(selectionOf(reading.expression, only)).toBeDefined();
      }),
      { numRuns: 2000 },
    );
    expect(passed).toBeGreaterThan(200);
  });
});
