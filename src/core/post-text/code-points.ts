/** Returns a function from UTF-16 offsets in a text to code point offsets. */
export function codePointOffsets(text: string): (unit: number) => number {
  if (!/[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text)) return (unit) => unit;
  const offsets = new Uint32Array(text.length + 1);
  let codePoints = 0;
  for (let unit = 0; unit < text.length;) {
    const width = (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    unit += width;
    codePoints++;
    offsets[unit] = codePoints;
  }
  return (unit) => offsets[unit] ?? codePoints;
}
