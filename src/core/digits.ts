/** Returns the whole number that up to 9 digits name; undefined for any other text. */
export function parseDigits(text: string): number | undefined {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
