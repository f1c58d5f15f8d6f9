/** What a request of a resumable upload says about its body. */
export type ContentRange =
  /** No header: the body is the whole file. */
  | { readonly kind: 'whole' }
  /** `bytes *` + `/*`: how far is it? With a total, the file ends there. */
  | { readonly kind: 'query'; readonly totalBytes?: number }
  /** `bytes 0-99/200`; the total is absent when it is not known yet. */
  | {
      readonly kind: 'range';
      readonly firstByte: number;
      readonly lastByte: number;
      readonly totalBytes?: number;
    };

/** Numbers of more digits are not safe integers. */
const RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)$/i;

/** Reads a Content-Range (RFC 9110 14.4); undefined when it is none, ends before it begins or goes beyond its total. */
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
