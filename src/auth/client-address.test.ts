import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.js';

const addressOf = (remoteAddress: string | undefined, forwardedFor?: string, trusted: string[] = []) =>
  createClientAddress(trusted)({ headers: { 'x-forwarded-for': forwardedFor }, remoteAddress });

describe('the address of a client', () => {
  it('is that of its connection, whatever a stranger forwards', () => {
    expect(addressOf('192.0.2.1')).toBe('192.0.2.1');
    expect(addressOf('192.0.2.1', '198.51.100.9')).toBe('192.0.2.1');
    expect(addressOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(addressOf(undefined)).toBe('');
  });

  it('is the last one before the trusted proxies, not the first, which anybody can write', () => {
    const trusted = ['10.0.0.0/8'];
    expect(addressOf('10.0.0.7', '203.0.113.5, 198.51.100.9', trusted)).toBe('198.51.100.9');
    expect(addressOf('10.0.0.7', '198.51.100.9, 10.1.1.1', trusted)).toBe('198.51.100.9');
    expect(addressOf('10.0.0.7', 'nonsense', trusted)).toBe('10.0.0.7');
    expect(addressOf('10.0.0.7', '10.0.0.8', trusted)).toBe('10.0.0.8');
  });

  it('is the network of 64 bits of an IPv6 address, as one client has them all', () => {
    expect(addressOf('2001:db8::1')).toBe('2001:db8:0:0');
    expect(addressOf('2001:0DB8:0:0:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:0');
    expect(addressOf('::1')).toBe('0:0:0:0');
    expect(addressOf('fe80::1%eth0')).toBe('fe80:0:0:0');
  });
});
