import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UserId } from '../../core/ids.js';
import {
  equalsInConstantTime,
  generate,
  hashPassword,
  hashToken,
  isPassword,
  randomAlphanumeric,
} from './secrets.js';

describe('generated credentials', () => {
  it('have the formats of X', () => {
    expect(generate.apiKey()).toMatch(/^[A-Za-z0-9]{25}$/);
    expect(generate.apiSecret()).toMatch(/^[A-Za-z0-9]{50}$/);
    expect(generate.clientId()).toMatch(/^[\w-]{34}$/);
    expect(generate.clientSecret()).toMatch(/^[\w-]{50}$/);
    expect(generate.oauth1Secret()).toMatch(/^[A-Za-z0-9]{45}$/);
    expect(generate.oauth2Token()).toMatch(/^[\w-]{88}$/);
  });

  it('name the user in OAuth 1.0a access tokens', () => {
    expect(generate.oauth1Token(2244994945n as UserId)).toMatch(/^2244994945-[A-Za-z0-9]{40}$/);
  });

  it('use every letter and digit, and are unique', () => {
    const text = randomAlphanumeric(10_000);
    expect(new Set(text).size).toBe(62);
    expect(new Set(Array.from({ length: 100 }, () => generate.apiKey())).size).toBe(100);
  });

  it('never start with a hyphen, which a command line would read as an option', () => {
    const tokens = Array.from({ length: 500 }, generate.oauth2Token);
    expect(tokens.filter((token) => token.startsWith('-'))).toEqual([]);
  });
});

describe('hashes', () => {
  it('of tokens are SHA-256 in base64url (SECURITY.md)', () => {
    expect(hashToken('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  it('of passwords are argon2id with a salt, and verify (SECURITY.md)', async () => {
    const [hash, again] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(again).not.toBe(hash);
    expect(await isPassword(hash, 'correct horse')).toBe(true);
    expect(await isPassword(hash, 'correct horsf')).toBe(false);
  });
});

describe('comparing secrets', () => {
  it('is true for equal texts only, of any lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(equalsInConstantTime(a, a)).toBe(true);
        expect(equalsInConstantTime(a, b)).toBe(a === b);
        expect(equalsInConstantTime(`${b}${a}`, b)).toBe(a === '');
        expect(equalsInConstantTime(a, `${a}${b}`)).toBe(b === '');
      }),
    );
  });

  it('does not mistake padding for missing bytes of a short text', () => {
    expect(equalsInConstantTime('ab', 'ab\0')).toBe(false);
    expect(equalsInConstantTime('ab\0', 'ab')).toBe(false);
  });

  it.each(['wrong', 'right', 'longer than right'])('compares all bytes in constant time: %s', (given) => {
    using compare = vi.spyOn(crypto, 'timingSafeEqual');
    // Modules that import the function by its name see the spy until the test ends.
    syncBuiltinESMExports();
    onTestFinished(syncBuiltinESMExports);
    expect(equalsInConstantTime(given, 'right')).toBe(given === 'right');
    expect(compare).toHaveBeenCalledExactlyOnceWith(expect.any(Buffer), Buffer.from('right'));
  });
});
