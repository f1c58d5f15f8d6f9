import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { isForm } from '../http/request-parts.js';
import type { RecordedBody } from './entry.js';
import { hideInJson } from './hide-json.js';
import { hasSecretPart, hideInPairs, type Shown } from './hide.js';
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
  const beginning = tap.beginning();
  if (bytes === 0 || isPage(contentType, beginning)) return { bytes, isCut: !isComplete };
  if (contentEncoding === '' && isText(contentType, beginning)) {
    return { bytes, text: textOf(beginning, contentType, shown), isCut };
  }
  const isKept = !isCut && !(/^multipart\//i.test(contentType) && hasSecretPart(beginning));
  return { bytes, ...(isKept && { base64: beginning.toString('base64') }), isCut };
}

/** Reports whether a body is HTML. Tokens of OAuth 1.0a are a form that is sent with the type of a page. */
function isPage(contentType: string, beginning: Buffer): boolean {
  return contentType.includes('text/html') && !PAIRS_START.test(beginning.toString('latin1', 0, 101));
}

/** A body without a type is a text if it can be one. */
function isText(contentType: string, beginning: Buffer): boolean {
  if (contentType === '') return isUtf8(beginning) && !beginning.includes(0);
  return /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded|application\/xml)/i.test(
    contentType,
  );
}

function textOf(beginning: Buffer, contentType: string, shown: Shown): string {
  // Leaves out the part of a character at the end.
  const text = new StringDecoder('utf8').write(beginning);
  // Some clients send a form or JSON with the content type of the other.
  const isOfPairs = !JSON_START.test(text) && (isForm(contentType) || PAIRS_START.test(text));
  return isOfPairs ? hideInPairs(text, shown) : hideInJson(text, shown);
}

const JSON_START = /^\s*[[{"]/;
const PAIRS_START = /^[\w.%[\]-]{1,100}=/;
