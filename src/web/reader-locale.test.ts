import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forReader, localeOf } from './reader-locale.js';
import { momentText, timeText } from './times.js';
import { compactNumber, numberText } from './numbers.js';

const AT = Date.parse('2026-11-21T23:40:00Z');

test.each([
  [undefined, undefined, 'en-GB', 'UTC'],
  ['de-DE,de;q=0.9', 'Europe/Berlin', 'de-DE', 'Europe/Berlin'],
  ['zh-Hant-TW', 'Asia/Taipei', 'zh-Hant-TW', 'Asia/Taipei'],
  ['*', 'Nowhere/Atall', 'en-GB', 'UTC'],
  ['de-u-nu-thai', '../../etc', 'en-GB', 'UTC'],
  ['xx"onload=', '"><script>', 'en-GB', 'UTC'],
])('%j in %j is %s in %s', (accepted, zone, language, inZone) => {
  const headers = { 'accept-language': accepted, cookie: zone && `a=b; pipit_zone=${zone}` };
  expect(localeOf(headers)).toEqual({ language, zone: inZone });
});

test('any headers give a locale that formats', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (accepted, zone) => {
      const headers = { 'accept-language': accepted, cookie: `pipit_zone=${zone}` };
      expect(forReader(headers, () => momentText(AT).markup)).toContain(
        'datetime="2026-11-21T23:40:00.000Z"',
      );
    }),
  );
});

test('dates, ages and numbers are those of the reader, and of nobody else', () => {
  const german = { 'accept-language': 'de', cookie: 'pipit_zone=Europe/Berlin' };
  forReader(german, () => {
    expect(momentText(AT).markup).toMatch(/lang="de">22. November 2026<\/time>, 00:40 MEZ/);
    expect(timeText(AT, AT + 5 * 60_000).markup).toContain('5 Min.');
    expect(numberText(12_345)).toBe('12.345');
  });
  expect(momentText(AT).markup).toBe(
    '<time datetime="2026-11-21T23:40:00.000Z" >21 November 2026</time>, 23:40 UTC',
  );
  expect(timeText(AT, AT + 3 * 3_600_000).markup).toMatch(/title="21 November 2026, 23:40 UTC"[^>]*>3h</);
  expect([numberText(12_345), compactNumber(1_234)]).toEqual(['12,345', '1.2k']);
});
