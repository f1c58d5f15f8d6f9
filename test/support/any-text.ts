import fc from 'fast-check';

/**
 * A character of any plane, but no half of a pair. The unit `binary` of fast-check is the same, and takes 100 MB for a
 * table of all characters.
 */
const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code), codeOf);

/** Lets fast-check use texts that are dangerous in JavaScript, such as `__proto__`. */
function codeOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
  return code;
}

/** Texts of any characters. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...constraints });
}
