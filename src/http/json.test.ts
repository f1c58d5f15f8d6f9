import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLongInteger, longIntegerDigits, parseJson } from './json.js';

describe('parseJson', () => {
  it('keeps the digits of long bare integers', () => {
    const value = parseJson('{"a":[1234567890123456789, 12],"b":9007199254740993}') as {
      a: unknown[];
      b: unknown;
    };
    expect(isLongInteger(value.a[0]) && longIntegerDigits(value.a[0])).toBe('1234567890123456789');
    expect(value.a[1]).toBe(12);
    expect(isLongInteger(value.b) && longIntegerDigits(value.b)).toBe('9007199254740993');
  });

  it.each(['1.2345678901234567', '-1234567890123456789', '1234567890123456789.5', '12345678901234567e3'])(
    'keeps %s a number',
    (text) => {
      expect(parseJson(text)).toBe(Number(text));
    },
  );

  it('refuses invalid long numbers', () => {
    for (const text of [
      '01234567890123456789',
      '12345678901234567890x',
      '1234567890123456.',
      '+12345678901234567',
      '{12345678901234567:1}',
    ]) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    }
  });

  it('does not change digits within strings and names', () => {
    const text = '{"1234567890123456789":"\\"1234567890123456789, \\\\"}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('agrees with JSON.parse on everything without long integers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.stringMatching(/^[0-9"\\{}[\]:, ]{0,30}$/), (value, text) => {
        const json = JSON.stringify([value, `${text}1234567890123456789`]).replaceAll(
          /(?<=[:[,])-?\d{16,}/g,
          '1',
        );
        expect(parseJson(json)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('throws exactly when JSON.parse does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\-.e0 '), maxLength: 20 }), (noise) => {
        const text = `${noise}1234567890123456789`;
        expect(outcome(() => parseJson(text))).toBe(outcome(() => JSON.parse(text) as unknown));
      }),
    );
  });
});

function outcome(run: () => unknown): string {
  try {
    run();
    return 'parsed';
  } catch {
    return 'threw';
  }
}
