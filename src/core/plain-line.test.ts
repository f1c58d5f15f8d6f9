import { describe, expect, it } from 'vitest';
import { isPlainLine, isPlainName, isVisible, plainLine } from './plain-line.js';

describe('a plain name', () => {
  it.each([
    'Birds & Bees',
    'Zoë’s Café – №1',
    'Cafe\u0301',
    '青い鳥',
    'عصفور أزرق',
    'می\u200cخواهم',
    'क्\u200dष',
    'ציפור',
    'นกน้ำ',
    '👩‍👩‍👧‍👦 and ❤️',
    '☎︎ 1️⃣ 🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  ])('can be %s', (name) => {
    expect(isPlainName(name)).toBe(true);
    expect(plainLine(name, 'none')).toBe(name);
  });

  it.each([
    ['a line break', 'Good\nOther'],
    ['a line separator', 'Good\u2028Other'],
    ['an override of direction', 'Good \u202etihs'],
    ['an isolate', 'Good\u2067x'],
    ['a mark of direction', 'Good\u200f'],
    ['a zero width space', 'Tw\u200bitter'],
    ['a joiner between Latin letters', 'Tw\u200ditter'],
    ['a joiner at the end', 'Bird\u200d'],
    ['a soft hyphen', 'Tw\u00aditter'],
    ['a word joiner', 'Tw\u2060itter'],
    ['a byte order mark', 'Tw\ufeffitter'],
    ['tags', 'Bird\u{e0041}\u{e007f}'],
    ['a variation selector', 'Bird\ufe0f'],
    ['a supplementary variation selector', 'Bird\u{e0100}'],
    ['a grapheme joiner', 'Bi\u034frd'],
    ['a filler', 'Bird\u3164s'],
    ['a half-width filler', 'Bird\uffa0s'],
    ['a blank Braille pattern', 'Bird\u2800s'],
    ['a Mongolian vowel separator', 'Bird\u180es'],
    ['a private character', 'Bird\ue000'],
    ['a lone surrogate', 'Bird\ud800'],
    ['a mark without a base', '\u0301Bird'],
    ['a mark on a space', 'Bird \u0338'],
    ['a stack of marks', `Bird${'\u0335'.repeat(7)}`],
  ])('does not contain %s', (_, name) => {
    expect(isPlainLine(name)).toBe(false);
    const shown = plainLine(name, 'none');
    expect(isPlainName(shown)).toBe(true);
    expect(shown).toMatch(/^(Good|Tw|Bi)/);
  });

  it.each([
    '',
    ' ',
    '\u00a0\u3000\u2003',
    '\u200b',
    '\u3164\u3164',
    '\uffa0',
    '\u2800',
    '\u0301\u0302',
    '\u202e',
  ])('is not %j', (name) => {
    expect(isVisible(name)).toBe(false);
    expect(isPlainName(name)).toBe(false);
    expect(plainLine(name, 'none')).toBe('none');
  });
});
