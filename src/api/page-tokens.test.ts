import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ID } from '../core/ids.js';
import type { Cursor } from '../core/page.js';
import { createPageTokens } from './page-tokens.js';

const tokens = createPageTokens(Buffer.alloc(32, 1));
const CURSOR: Cursor = { direction: 'next', position: 1_578_514_324_283_588_608n, extra: [] };
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const cursors = fc.record<Cursor>({
  direction: fc.constantFrom('next', 'previous'),
  position: fc.bigInt(-1n, MAX_ID),
  extra: fc.array(fc.bigInt(-1n, MAX_ID), { maxLength: 13 }),
});

describe('a page token', () => {
  it('opens to its original cursor under its own scope and key only', () => {
    const other = createPageTokens(Buffer.alloc(32, 2));
    fc.assert(
      fc.property(cursors, fc.string(), fc.string(), (cursor, scope, otherScope) => {
        const token = tokens.seal(cursor, scope);
        expect(token).toMatch(/^[a-z2-7]+$/);
        expect(tokens.open(token, scope)).toEqual(cursor);
        expect(tokens.seal(cursor, scope)).toBe(token);
        if (otherScope !== scope) expect(tokens.open(token, otherScope)).toBeUndefined();
        expect(other.open(token, scope)).toBeUndefined();
      }),
    );
  });

  it('is short, and grows by at most 13 characters per number', () => {
    expect(tokens.seal(CURSOR, 'scope')).toHaveLength(31);
    expect(tokens.seal({ ...CURSOR, extra: [1n] }, 'scope')).toHaveLength(44);
  });

  it('does not open if any character is changed, missing, repeated or in upper case', () => {
    const token = tokens.seal({ ...CURSOR, extra: [5n] }, 'scope');
    for (let at = 0; at < token.length; at += 1) {
      const [before, after] = [token.slice(0, at), token.slice(at + 1)];
      const own = token.charAt(at);
      for (const character of ALPHABET) {
        if (character !== own) expect(tokens.open(before + character + after, 'scope')).toBeUndefined();
      }
      expect(tokens.open(before + after, 'scope')).toBeUndefined();
      expect(tokens.open(before + own + own + after, 'scope')).toBeUndefined();
    }
    expect(tokens.open(token.toUpperCase(), 'scope')).toBeUndefined();
    expect(tokens.open(`${token}a`, 'scope')).toBeUndefined();
  });

  it('with an invented text does not open', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 0, maxLength: 250 }),
    );
    fc.assert(
      fc.property(text, (token) => {
        expect(tokens.open(token, 'scope')).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('does not reveal the position', () => {
    const one = tokens.seal(CURSOR, 'scope');
    const other = tokens.seal({ ...CURSOR, position: CURSOR.position + 1n }, 'scope');
    const alike = [...one].filter((character, at) => other[at] === character);
    expect(alike.length).toBeLessThan(one.length / 2);
  });

  it('does not reveal that its numbers are equal', () => {
    const token = tokens.seal({ ...CURSOR, extra: Array.from({ length: 13 }, () => 0n) }, 'scope');
    expect(token).not.toMatch(/aaaaaa/);
  });
});
