import { describe, expect, it } from 'vitest';
import type { AuthRequest } from '../auth-request.js';
import { createBaseUrlCandidates } from './base-urls.js';

const request = (overrides: Partial<AuthRequest> & { headers: AuthRequest['headers'] }): AuthRequest => ({
  method: 'GET',
  url: '/2/tweets',
  encrypted: false,
  remoteAddress: '10.0.0.7',
  ...overrides,
});

const candidates = (
  overrides: Parameters<typeof request>[0],
  address: Partial<Parameters<typeof createBaseUrlCandidates>[0]> = {},
) => createBaseUrlCandidates({ baseUrls: [], trustedProxies: [], ...address })(request(overrides));

describe('the URLs that a client may have signed', () => {
  it('are the Host header under both schemes, this connection first', () => {
    const headers = { host: 'api.example' };
    expect(candidates({ headers })).toEqual(['http://api.example', 'https://api.example']);
    expect(candidates({ headers, encrypted: true })).toEqual(['https://api.example', 'http://api.example']);
  });

  it('are in lower case and without the default port of their scheme (RFC 5849 3.4.1.2)', () => {
    expect(candidates({ headers: { host: 'API.Example:443' } })).toEqual([
      'http://api.example:443',
      'https://api.example',
    ]);
    expect(candidates({ headers: { host: '[2001:DB8::1]:8080' } })).toEqual([
      'http://[2001:db8::1]:8080',
      'https://[2001:db8::1]:8080',
    ]);
    expect(candidates({ headers: { host: '[::1]:80' } })[0]).toBe('http://[::1]');
  });

  it('start with the configured ones, whose path prefix is kept', () => {
    const baseUrls = ['https://Social.Example:443/', 'https://example.org/pipit/'];
    expect(candidates({ headers: { host: 'a' } }, { baseUrls })).toEqual([
      'https://social.example',
      'https://example.org/pipit',
      'http://a',
      'https://a',
    ]);
  });

  const forwarded = {
    host: 'inner:8080',
    'x-forwarded-proto': 'HTTPS, http',
    'x-forwarded-host': 'outer.example',
  };

  it.each(['10.0.0.7', '10.0.0.0/8', '0.0.0.0/0'])(
    'include those forwarded by a trusted proxy (%s)',
    (proxy) => {
      expect(candidates({ headers: forwarded }, { trustedProxies: [proxy] })[0]).toBe(
        'https://outer.example',
      );
    },
  );

  it('include them too for a proxy with an IPv4-mapped IPv6 address', () => {
    expect(
      candidates(
        { headers: forwarded, remoteAddress: '::ffff:10.0.0.7' },
        { trustedProxies: ['10.0.0.0/8'] },
      )[0],
    ).toBe('https://outer.example');
  });

  it.each([['10.0.0.8'], ['::1'], [undefined]])(
    'ignore forwarding headers of others (trusting %s)',
    (proxy) => {
      const trustedProxies = proxy === undefined ? [] : [proxy];
      expect(candidates({ headers: forwarded }, { trustedProxies })).toEqual([
        'http://inner:8080',
        'https://inner:8080',
      ]);
    },
  );

  it('include the first element of Forwarded, quoted or not (RFC 7239 4)', () => {
    const trustedProxies = ['10.0.0.7'];
    const first = (value: string) =>
      candidates({ headers: { host: 'inner', forwarded: value } }, { trustedProxies })[0];
    expect(first('for=1.2.3.4;proto=https;host="outer.example:8443", for=5.6.7.8;host=no.example')).toBe(
      'https://outer.example:8443',
    );
    expect(first('Host=outer.example')).toBe('http://outer.example');
    expect(first('proto=https')).toBe('https://inner');
    expect(first('for="_a,b;c";host=outer.example')).toBe('http://outer.example');
    expect(first(';;;"')).toBe('http://inner');
  });

  it.each(['a/b', 'a b', 'a@b', '', 'a:b', '[::1', 'a:1:2'])('leave out the invalid host [%s]', (host) => {
    expect(candidates({ headers: { host } })).toEqual([]);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '::/129'])('refuse to trust %s', (proxy) => {
    expect(() => candidates({ headers: {} }, { trustedProxies: [proxy] })).toThrow(RangeError);
  });
});
