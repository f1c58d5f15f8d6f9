/** The body of a resumable upload request. */
export type ContentRange =
  /** No header: the body is the whole file. */
  | { readonly kind: 'whole' }
  /** `bytes *` + `/*`: a query for the progress. With a total, the file ends there. */
  | { readonly kind: 'query'; readonly totalBytes?: number }
  /** `bytes 0-99/200`; the total is absent if unknown. */
  | {
      readonly kind: 'range';
      readonly firstByte: number;
      readonly lastByte: number;
      readonly totalBytes?: number;
    };

/** Numbers with more digits may be unsafe integers. */
const RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)$/i;

/**
 * Parses a Content-Range (RFC 9110 14.4). Returns undefined if it is invalid, ends before it starts or exceeds its
 * total.
 */
export function parseContentRange(header: string | undefined): ContentRange | undefined {
  if (header === undefined) return { kind: 'whole' };
  const match = RANGE.exec(header.trim());
  if (!match) return undefined;
  const [first, last, total] = match
    .slice(1)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  if (first === undefined || last === undefined) return { kind: 'query', totalBytes: total };
  if (last < first || (total !== undefined && last >= total)) return undefined;
  return { kind: 'range', firstByte: first, lastByte: last, totalBytes: total };
}
