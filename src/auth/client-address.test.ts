import { describe, expect, it } from 'vitest';
import { createCountedAddress } from './client-address.js';

const addressOf = (remoteAddress: string | undefined, forwardedFor?: string, trusted: string[] = []) =>
  createCountedAddress(trusted)({ headers: { 'x-forwarded-for': forwardedFor }, remoteAddress });

describe('the address of a client', () => {
  it('is that of its connection, regardless of headers from untrusted addresses', () => {
    expect(addressOf('192.0.2.1')).toBe('192.0.2.1');
    expect(addressOf('192.0.2.1', '198.51.100.9')).toBe('192.0.2.1');
    expect(addressOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(addressOf(undefined)).toBe('');
  });

  it('is the last one before the trusted proxies, not the first, which can be forged', () => {
    const trusted = ['10.0.0.0/8'];
    expect(addressOf('10.0.0.7', '203.0.113.5, 198.51.100.9', trusted)).toBe('198.51.100.9');
    expect(addressOf('10.0.0.7', '198.51.100.9, 10.1.1.1', trusted)).toBe('198.51.100.9');
    expect(addressOf('10.0.0.7', 'nonsense', trusted)).toBe('10.0.0.7');
    expect(addressOf('10.0.0.7', '10.0.0.8', trusted)).toBe('10.0.0.8');
  });

  const TRUSTED = ['10.0.0.0/8', '2001:db8:ffff::/48'];

  it.each([
    ['198.51.100.9:4711', '198.51.100.9'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['198.51.100.9, [2001:db8:ffff::1]:80, 10.0.0.8:1', '198.51.100.9'],
    ['::ffff:198.51.100.9', '198.51.100.9'],
  ])('is read from an address with a port: %s', (forwardedFor, address) => {
    expect(addressOf('10.0.0.7', forwardedFor, TRUSTED)).toBe(address);
    expect(addressOf('::ffff:10.0.0.7', forwardedFor, TRUSTED)).toBe(address);
  });

  it.each(['unknown', '_hidden', '', '198.51.100.9:', '[198.51.100.9', '999.1.1.1', '10.0.0.8.example'])(
    'is the proxy’s own if it does not name its client: %j',
    (hop) => {
      expect(addressOf('10.0.0.7', hop, TRUSTED)).toBe('10.0.0.7');
      expect(addressOf('10.0.0.7', `203.0.113.5, ${hop}`, TRUSTED)).toBe('10.0.0.7');
      expect(addressOf('10.0.0.7', `203.0.113.5, ${hop}, 10.0.0.8`, TRUSTED)).toBe('10.0.0.8');
    },
  );

  it.each([
    ['for=198.51.100.9', '198.51.100.9'],
    ['proto=https;For="198.51.100.9:4711";by=10.0.0.7', '198.51.100.9'],
    ['for=203.0.113.5, for="[2001:db8:1:2::9]:4711" ; proto=http', '2001:db8:1:2'],
    ['for=203.0.113.5, for=unknown', '10.0.0.7'],
    ['for=203.0.113.5, for=_hidden', '10.0.0.7'],
    ['for=203.0.113.5, proto=https', '10.0.0.7'],
    ['for=203.0.113.5, for="198.51.100.9, for=203.0.113.6"', '10.0.0.7'],
  ])('is read from %s', (forwarded, address) => {
    const from = createCountedAddress(TRUSTED);
    expect(from({ headers: { forwarded }, remoteAddress: '10.0.0.7' })).toBe(address);
    expect(from({ headers: { forwarded }, remoteAddress: '192.0.2.1' })).toBe('192.0.2.1');
    const both = { forwarded, 'x-forwarded-for': '198.51.100.77' };
    expect(from({ headers: both, remoteAddress: '10.0.0.7' })).toBe('198.51.100.77');
  });

  it('is the /64 network of an IPv6 address, which belongs to one client', () => {
    expect(addressOf('2001:db8::1')).toBe('2001:db8:0:0');
    expect(addressOf('2001:0DB8:0:0:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:0');
    expect(addressOf('::1')).toBe('0:0:0:0');
    expect(addressOf('fe80::1%eth0')).toBe('fe80:0:0:0');
  });
});
