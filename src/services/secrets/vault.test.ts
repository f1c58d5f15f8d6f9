import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppId } from '../../core/ids.js';
import { createVault, SealBroken } from './vault.js';

const vault = createVault(Buffer.alloc(32, 7));
const APP = 27n as AppId;

describe('sealed secrets', () => {
  it('decrypt to the sealed text, and differ each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, owner) => {
        const sealed = vault.seal(secret, owner);
        expect(vault.open(sealed, owner)).toBe(secret);
        expect(vault.seal(secret, owner)).not.toBe(sealed);
      }),
    );
  });

  it('start with their version and contain no part of the secret', () => {
    const sealed = vault.seal('s3cret-s3cret-s3cret', 'app 27');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('s3cret');
  });

  it('do not open for another owner, with another key, or when any byte differs', () => {
    const sealed = vault.seal('secret', 'app 27');
    expect(() => vault.open(sealed, 'app 28')).toThrow(SealBroken);
    expect(() => createVault(Buffer.alloc(32, 8)).open(sealed, 'app 27')).toThrow(/key file/);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.open(`v1.${changed.toString('base64url')}`, 'app 27')).toThrow(SealBroken);
    }
  });

  it.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain'])('are not of the form [%s]', (text) => {
    expect(() => vault.open(text, 'app 27')).toThrow(SealBroken);
  });

  it('need a key of 32 bytes', () => {
    expect(() => createVault(Buffer.alloc(31))).toThrow(RangeError);
  });
});

describe('derived bearer tokens', () => {
  it('are the same for the same app, serial and key, and different otherwise', () => {
    const token = vault.bearerToken(APP, 1);
    expect(token).toMatch(/^A{21}[\w-]{86}$/);
    expect(vault.bearerToken(APP, 1)).toBe(token);
    const others = [
      vault.bearerToken(APP, 2),
      vault.bearerToken(28n as AppId, 1),
      createVault(Buffer.alloc(32, 8)).bearerToken(APP, 1),
    ];
    expect(new Set([token, ...others]).size).toBe(4);
  });
});
