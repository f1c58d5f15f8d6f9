import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PipitError } from '../../core/errors.js';
import { isOAuth1Header, parseOAuth1Header } from './protocol.js';
import { encodePercent } from './percent.js';

describe('the OAuth header', () => {
  it('is parsed with any spacing and order, decoded, without its realm (RFC 5849 3.5.1)', () => {
    const header = 'oauth  realm="a, b",oauth_token="a%2Bb%20%C3%BC" ,\toauth_nonce="",x_auth="1"';
    expect([...parseOAuth1Header(header)]).toEqual([
      ['oauth_token', 'a+b ü'],
      ['oauth_nonce', ''],
      ['x_auth', '1'],
    ]);
  });

  it.each([
    ['another scheme', 'Bearer oauth_token="a"'],
    ['no parameters', 'OAuth '],
    ['no space after the scheme', 'OAuthoauth_token="a"'],
    ['an unquoted value', 'OAuth oauth_token=a'],
    ['an unclosed quote', 'OAuth oauth_token="a'],
    ['a trailing comma', 'OAuth oauth_token="a",'],
    ['a missing comma', 'OAuth oauth_token="a" oauth_nonce="b"'],
    ['a missing name', 'OAuth ="a"'],
    ['a space before "="', 'OAuth oauth_token ="a"'],
    ['a broken escape', 'OAuth oauth_token="%4"'],
    ['bytes that are not UTF-8', 'OAuth oauth_token="%ff"'],
    ['a control character', 'OAuth oauth_token="a\tb"'],
    ['a doubled parameter', 'OAuth oauth_token="a", oauth_token="a"'],
    ['a parameter doubled by an escape', 'OAuth oauth_token="a", oauth%5Ftoken="a"'],
  ])('with %s is refused', (_, header) => {
    expect(() => parseOAuth1Header(header)).toThrow(PipitError);
  });

  it('returns every set of parameters that was formatted', () => {
    const text = fc.string({ unit: 'grapheme' });
    const entries = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, minLength: 1 });
    fc.assert(
      fc.property(entries, (pairs) => {
        const named = pairs.map(([name, value]) => [`oauth_${name}`, value] as const);
        const members = named.map(([name, value]) => `${encodePercent(name)}="${encodePercent(value)}"`);
        expect([...parseOAuth1Header(`OAuth ${members.join(', ')}`)]).toEqual(named);
      }),
    );
  });

  it('fails only with a 401, for any input', () => {
    const piece = fc.oneof(
      fc.constantFrom('OAuth ', 'oauth_token', '="', '"', ',', ' ', '%', '%41', '%ff', '\\', '=', 'realm'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const header = `OAuth ${pieces.join('')}`;
        expect(isOAuth1Header(header)).toBe(true);
        try {
          parseOAuth1Header(header);
        } catch (error) {
          expect(error).toBeInstanceOf(PipitError);
          expect((error as PipitError).failure.code).toBe('unauthorized');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
