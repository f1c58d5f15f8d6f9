import { describe, expect, it } from 'vitest';
import { ownPath } from './own-path.js';

describe('a `next` path', () => {
  it.each(['/', '/settings', '/i/oauth2/authorize?client_id=a&redirect_uri=https%3A%2F%2Fb.example%2F'])(
    'may be %s',
    (path) => {
      expect(ownPath(path)).toBe(path);
    },
  );

  it.each([
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example/`,
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/.//evil.example/',
    '/a/..//evil.example/',
    '/%2e//evil.example/',
    'javascript:alert(1)',
    'settings',
    ' /settings',
    '',
  ])('may not be %j, which leads to another host or is no path', (text) => {
    expect(ownPath(text)).toBeUndefined();
  });

  it('contains no line break that could start another header', () => {
    expect(ownPath('/a\r\nset-cookie: b=c')).toBe('/aset-cookie:%20b=c');
    expect(ownPath('/a%0d%0aset-cookie:b')).toBe('/a%0d%0aset-cookie:b');
  });

  it('is undefined when it is absent', () => {
    expect(ownPath(null)).toBeUndefined();
  });
});
