import { describe, expect, it } from 'vitest';
import type { UserId } from '../../core/ids.js';
import { generate, hashPassword, hashToken, isPassword, randomAlphanumeric } from './secrets.js';

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
