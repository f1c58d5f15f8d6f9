const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);
const CHARACTERS: ReadonlyMap<string, string> = new Map([...ESCAPES].map(([raw, escaped]) => [escaped, raw]));

/** Escapes a text for the wire: `& < >` as `&amp; &lt; &gt;` (docs/api/posts.md#length). */
export function escapeText(raw: string): string {
  return raw.replace(/[&<>]/g, escapeCharacter);
}

/** Reverses `escapeText`, for external texts in wire form. */
export function unescapeText(wire: string): string {
  return wire.replace(/&(?:amp|lt|gt);/g, (escaped) => CHARACTERS.get(escaped) ?? escaped);
}

/**
 * Returns a function from code point offsets in the raw text to code point offsets in the escaped text, for offsets
 * from 0 to the text's length.
 */
export function escapedOffsets(raw: string): (offset: number) => number {
  if (!/[&<>]/.test(raw)) return (offset) => offset;
  const offsets = [0];
  let escapedOffset = 0;
  for (const character of raw) {
    escapedOffset += ESCAPES.get(character)?.length ?? 1;
    offsets.push(escapedOffset);
  }
  return (offset) => offsets[offset] ?? escapedOffset;
}

function escapeCharacter(character: string): string {
  return ESCAPES.get(character) ?? character;
}
