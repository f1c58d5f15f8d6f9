/** Scripts that identify languages; kana and Han characters are separate. */
export type Script = (typeof BLOCKS)[number][2];

/** The Unicode blocks of each script, ordered by code point. */
const BLOCKS = [
  [0x41, 0x5a, 'Latin'],
  [0x61, 0x7a, 'Latin'],
  [0xc0, 0x24f, 'Latin'],
  [0x370, 0x3ff, 'Greek'],
  [0x400, 0x52f, 'Cyrillic'],
  [0x530, 0x58f, 'Armenian'],
  [0x590, 0x5ff, 'Hebrew'],
  [0x600, 0x6ff, 'Arabic'],
  [0x750, 0x77f, 'Arabic'],
  [0x780, 0x7bf, 'Thaana'],
  [0x8a0, 0x8ff, 'Arabic'],
  [0x900, 0x97f, 'Devanagari'],
  [0x980, 0x9ff, 'Bengali'],
  [0xa00, 0xa7f, 'Gurmukhi'],
  [0xa80, 0xaff, 'Gujarati'],
  [0xb00, 0xb7f, 'Oriya'],
  [0xb80, 0xbff, 'Tamil'],
  [0xc00, 0xc7f, 'Telugu'],
  [0xc80, 0xcff, 'Kannada'],
  [0xd00, 0xd7f, 'Malayalam'],
  [0xd80, 0xdff, 'Sinhala'],
  [0xe00, 0xe7f, 'Thai'],
  [0xe80, 0xeff, 'Lao'],
  [0xf00, 0xfff, 'Tibetan'],
  [0x1000, 0x109f, 'Myanmar'],
  [0x10a0, 0x10ff, 'Georgian'],
  [0x1100, 0x11ff, 'Hangul'],
  [0x1200, 0x139f, 'Ethiopic'],
  [0x1780, 0x17ff, 'Khmer'],
  [0x1e00, 0x1eff, 'Latin'],
  [0x1f00, 0x1fff, 'Greek'],
  [0x3041, 0x30ff, 'Kana'],
  [0x3130, 0x318f, 'Hangul'],
  [0x3400, 0x4dbf, 'Han'],
  [0x4e00, 0x9fff, 'Han'],
  [0xac00, 0xd7af, 'Hangul'],
  [0xfb50, 0xfdff, 'Arabic'],
  [0xfe70, 0xfefe, 'Arabic'],
  [0x20000, 0x3134f, 'Han'],
] as const;

/** Counts the characters of each script in a text; others are ignored. */
export function countScripts(text: string): ReadonlyMap<Script, number> {
  const counts = new Map<Script, number>();
  for (const character of text) {
    const script = scriptOf(character.codePointAt(0) ?? 0);
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  return counts;
}

function scriptOf(codePoint: number): Script | undefined {
  const block = BLOCKS.find(([, last]) => codePoint <= last);
  return block !== undefined && codePoint >= block[0] ? block[2] : undefined;
}
