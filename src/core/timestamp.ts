const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

/**
 * The time that `YYYY-MM-DDTHH:mm:ss[.sss]Z` names, in milliseconds since the Unix epoch, as operators write it
 * (reference/world-file.md); undefined for any other text and for days that no month has.
 */
export function parseTimestamp(text: string): number | undefined {
  const timeMs = TIMESTAMP.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) return undefined;
  // Date.parse takes February 30 for March 1 or 2; the way back shows it.
  return new Date(timeMs).toISOString().startsWith(text.slice(0, 19)) ? timeMs : undefined;
}
