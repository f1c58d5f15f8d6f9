import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.js';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:53aa:64c:0:0:0:1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

const byte = fc.integer({ min: 0, max: 255 });
const toText = (bytes: readonly number[]): string => bytes.join('.');

/** The same rule, by arithmetic. */
function isSpecial([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  return (
    [0, 10, 127].includes(a) ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  );
}

const special = fc.constantFrom(
  ...[
    [0],
    [10],
    [127],
    [100, 64],
    [100, 127],
    [169, 254],
    [172, 16],
    [172, 31],
    [192, 168],
    [192, 0, 0],
    [192, 0, 2],
    [192, 88, 99],
    [198, 18],
    [198, 51, 100],
    [203, 0, 113],
    [224],
    [240],
  ],
);

test('an IPv4 address is public exactly outside of the special networks', () => {
  const near = fc.tuple(special, byte, byte, byte).map(([start, ...rest]) => [...start, ...rest].slice(0, 4));
  const any = fc.tuple(byte, byte, byte, byte);
  fc.assert(
    fc.property(fc.oneof(near, any), (bytes) => {
      expect(isPublicAddress(toText(bytes))).toBe(!isSpecial(bytes));
    }),
    { numRuns: 5_000 },
  );
});

test('no form of an IPv4 address within IPv6 is public', () => {
  const prefixes = ['::', '::ffff:', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'];
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), fc.tuple(byte, byte, byte, byte), (prefix, bytes) => {
      const address = prefix + toText(bytes);
      expect(isIPv6(address)).toBe(true);
      expect(isPublicAddress(address)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
      expect(isPublicAddress(`::ffff:${high}:${low}`)).toBe(false);
    }),
  );
});

test('other text is not public', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^[0-9.]+$|:/.test(text));
      expect(isPublicAddress(text)).toBe(false);
    }),
  );
});
