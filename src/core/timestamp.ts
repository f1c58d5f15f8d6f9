const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * The whole second that a time of RFC 3339 names, with `Z` or an offset as `-05:30`, in milliseconds since the Unix epoch;
 * a fraction is cut off. Undefined for any other text, and for days and hours that no calendar has.
 */
export function parseInstant(text: string): number | undefined {
  const [, local = '', sign, hours, minutes] = INSTANT.exec(text) ?? [];
  const localMs = parseTimestamp(`${local.toUpperCase()}Z`);
  if (localMs === undefined || sign === undefined) return localMs;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '+' ? localMs - offsetMs : localMs + offsetMs;
}

/**
 * The time that `YYYY-MM-DDTHH:mm:ss[.sss]Z` names, in milliseconds since the Unix epoch, as operators write it
 * (docs/world-files.md); undefined for any other text and for days that no month has.
 */
export function parseTimestamp(text: string): number | undefined {
  const timeMs = TIMESTAMP.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) return undefined;
  // Date.parse takes February 30 for March 1 or 2; the way back shows it.
  return new Date(timeMs).toISOString().startsWith(text.slice(0, 19)) ? timeMs : undefined;
}
