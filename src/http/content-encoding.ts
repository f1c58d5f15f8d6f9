import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withMembers } from '../core/with-members.js';
import { Answer } from './answer.js';

/** The encodings of answers, the better one first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Reports whether a client takes an encoding (RFC 9110, section 12.5.3). `*` stands for gzip only. */
export function takes(encoding: Encoding, acceptEncoding: string | string[] | undefined): boolean {
  return ACCEPTED[encoding].test(String(acceptEncoding ?? ''));
}

const ACCEPTED = {
  br: /(?:^|[,\s])br\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i,
  gzip: /(?:^|[,\s])(?:gzip|\*)\s*(?:$|,|;\s*q=(?:1|0\.\d*[1-9]))/i,
} as const;

/** Returns the best encoding that a client takes; undefined if it takes none. */
export function bestEncoding(acceptEncoding: string | string[] | undefined): Encoding | undefined {
  return ENCODINGS.find((each) => takes(each, acceptEncoding));
}

/** How hard the server tries: `once` for what it keeps, `each` for what it makes for one answer. */
const QUALITIES = {
  br: { once: 11, each: 4 },
  gzip: { once: 9, each: 4 },
} as const;

/** Compresses a body. A page of 48 KB takes 0.3 ms for `each`, and becomes a tenth of it. */
export function encode(body: Buffer, encoding: Encoding, effort: 'once' | 'each'): Buffer {
  const quality = QUALITIES[encoding][effort];
  if (encoding === 'gzip') return gzipSync(body, { level: quality });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotliCompressSync(body, { params });
}

/** Smaller bodies fit into one packet, compressed or not. */
const MIN_BYTES = 1024;

/** What compresses well. Files of media are compressed already. */
const TEXT_TYPE =
  /^(?:text\/(?:html|css|javascript)|application\/(?:(?:atom|rss)\+xml|manifest\+json)|image\/svg\+xml)/;

/** The encoded bodies of answers that are served again and again, such as `/docs`, while they are kept. */
const encodedBodies = new WeakMap<Buffer, Map<Encoding, Buffer>>();

/**
 * Returns a page, feed or drawing in the best encoding that the client takes; other answers and small ones unchanged.
 * Pages hide their CSRF tokens from those who watch the length of compressed answers (`web/csrf.ts`). What else is
 * private stays as long as it is when another site has sent the browser: that site could put guesses beside it
 * (breachattack.com).
 */
export function encoded(answer: Answer, headers: IncomingHttpHeaders): Answer {
  const { status, body, headers: own } = answer;
  if (!(body instanceof Buffer) || !TEXT_TYPE.test(String(own['content-type']))) return answer;
  if (own['content-encoding'] !== undefined || body.length < MIN_BYTES) return answer;
  const vary = withMembers(own, { vary: [own['vary'] ?? [], 'accept-encoding'].flat().join(', ') });
  const encoding = isSentByOtherSite(headers) ? undefined : bestEncoding(headers['accept-encoding']);
  if (encoding === undefined) return new Answer(status, body, vary, answer.cause);
  const bytes = encodedOnce(body, encoding);
  return new Answer(status, bytes, withMembers(vary, { 'content-encoding': encoding }), answer.cause);
}

function encodedOnce(body: Buffer, encoding: Encoding): Buffer {
  const known = encodedBodies.get(body) ?? new Map<Encoding, Buffer>();
  encodedBodies.set(body, known);
  const bytes = known.get(encoding) ?? encode(body, encoding, 'each');
  known.set(encoding, bytes);
  return bytes;
}

/** Reports whether a page of another site has led a browser with cookies here (W3C Fetch Metadata). */
function isSentByOtherSite({ cookie, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return cookie !== undefined && (site === 'cross-site' || site === 'same-site');
}
