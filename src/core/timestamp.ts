const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Parses a time of RFC 3339, with `Z` or an offset such as `-05:30`, to milliseconds since the Unix epoch; fractions
 * of a second are truncated. Returns undefined for any other text and for invalid dates and times.
 */
export function parseInstant(text: string): number | undefined {
  const [, local = '', sign, hours, minutes] = INSTANT.exec(text) ?? [];
  const localMs = parseTimestamp(`${local.toUpperCase()}Z`);
  if (localMs === undefined || sign === undefined) return localMs;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '+' ? localMs - offsetMs : localMs + offsetMs;
}

/**
 * Parses a time in the form `YYYY-MM-DDTHH:mm:ss[.sss]Z`, as operators write it (docs/world-files.md), to
 * milliseconds since the Unix epoch. Returns undefined for any other text and for invalid dates.
 */
export function parseTimestamp(text: string): number | undefined {
  const timeMs = TIMESTAMP.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) return undefined;
  // Date.parse accepts February 30 as March 1 or 2; formatting the result detects that.
  return new Date(timeMs).toISOString().startsWith(text.slice(0, 19)) ? timeMs : undefined;
}
