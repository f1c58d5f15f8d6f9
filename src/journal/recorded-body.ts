import { StringDecoder } from 'node:string_decoder';
import type { RecordedBody } from './entry.js';
import { hideInJson, hideInPairs, type Shown } from './hide.js';
import { MAX_BODY_BYTES, type BodyTap } from './tap.js';

/** A body that passed, as its headers describe it. */
export interface PassedBody {
  readonly tap: BodyTap;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** False if only a part of it was sent or read. */
  readonly isComplete: boolean;
}

/**
 * Returns what the journal keeps of a body: text up to `MAX_BODY_BYTES` with secrets hidden, binary up to the same
 * size, and of pages and longer binaries only the size. Pages show secrets in places that no rule finds.
 */
export function recordedBody(
  { tap, contentType, contentEncoding, isComplete }: PassedBody,
  shown: Shown,
): RecordedBody {
  const { bytes } = tap;
  const isCut = bytes > MAX_BODY_BYTES || !isComplete;
  if (bytes === 0 || contentType.includes('text/html')) return { bytes, isCut: !isComplete };
  if (contentEncoding === '' && isText(contentType)) {
    return { bytes, text: textOf(tap.beginning(), contentType, shown), isCut };
  }
  return { bytes, ...(!isCut && { base64: tap.beginning().toString('base64') }), isCut };
}

function isText(contentType: string): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded|application\/xml)/i.test(
    contentType,
  );
}

function textOf(beginning: Buffer, contentType: string, shown: Shown): string {
  // Leaves out the part of a character at the end.
  const text = new StringDecoder('utf8').write(beginning);
  return /^application\/x-www-form-urlencoded/i.test(contentType)
    ? hideInPairs(text, shown)
    : hideInJson(text);
}
