/** Returns the whole number that up to 9 digits name; undefined for any other text and outside of the bounds. */
export function parseDigits(text: string, min = 0, max = Infinity): number | undefined {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : undefined;
}
