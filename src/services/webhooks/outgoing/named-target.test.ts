import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostOf, isNamedAddress, isNamedHost, parseNamedTarget } from './named-target.js';

const parsed = (...texts: string[]) =>
  texts.map((text) => {
    const target = parseNamedTarget(text);
    if (target === undefined) throw new Error(`${text} is refused`);
    return target;
  });

test.each([
  ['localhost', 'localhost', 3000, true],
  ['localhost:3000', 'localhost', 3000, true],
  ['localhost:3000', 'localhost', 3001, false],
  ['Receiver.Local', 'receiver.local', 80, true],
  ['receiver', 'receiver.local', 80, false],
  ['my_service', 'my_service', 80, true],
])('%s names the host %s with port %i: %s', (text, host, port, expected) => {
  expect(isNamedHost(parsed(text), { host, port })).toBe(expected);
});

test.each([
  ['127.0.0.1', '127.0.0.1', 80, true],
  ['127.0.0.1:3000', '127.0.0.1', 3000, true],
  ['127.0.0.1:3000', '127.0.0.1', 80, false],
  ['127.0.0.1', '127.0.0.2', 80, false],
  ['10.0.0.0/8', '10.255.0.1', 80, true],
  ['10.0.0.0/8', '11.0.0.1', 80, false],
  ['10.0.0.0/8:9000', '10.0.0.1', 9000, true],
  ['10.0.0.0/8:9000', '10.0.0.1', 9001, false],
  ['::1', '::1', 80, true],
  ['[::1]:3000', '::1', 3000, true],
  ['[::1]:3000', '::1', 80, false],
  ['fd00::/8', 'fd12::1', 80, true],
  ['fd00::/8', 'fc12::1', 80, false],
  ['0.0.0.0/0', '::1', 80, false],
])('%s names the address %s with port %i: %s', (text, address, port, expected) => {
  expect(isNamedAddress(parsed(text), { port }, address)).toBe(expected);
});

test.each([
  '',
  ' ',
  'a b',
  'http://localhost',
  'localhost/path',
  'localhost:',
  'localhost:0',
  'localhost:65536',
  'localhost:http',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '[::1]3000',
  '[localhost]extra',
  'fe80::1%eth0',
  'user@localhost',
  '*',
  '2130706433',
  '0x7f.1',
])('%s is refused', (text) => {
  expect(parseNamedTarget(text)).toBeUndefined();
});

test('any text is parsed or refused', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseNamedTarget(text)));
});

test.each([
  ['https://example.org./', 'example.org'],
  ['https://EXAMPLE.org/', 'example.org'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://[::1]/', '::1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f000001/', '127.0.0.1'],
  ['https://0177.0.0.1/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://127.0.0.1./', '127.0.0.1'],
  ['https://１２７.0.0.1/', '127.0.0.1'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
])('the host of %s is %s', (url, host) => {
  expect(hostOf(new URL(url))).toBe(host);
});
