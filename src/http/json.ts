import { NamedError } from '../core/named-error.js';

/** JSON.parse is exact for integers of up to 15 digits. */
const LONG_INTEGER = /[0-9]{16}/;

/**
 * Marks the digits of a long integer in the result of `parseJson`. Strings in requests cannot contain it, since NUL
 * is refused everywhere.
 */
const MARK = '\u0000';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The maximum nesting depth, more than any endpoint needs. Code that reads or echoes a body may recurse to this
 * depth.
 */
const MAX_DEPTH = 20;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Invalid or refused JSON; the message is sent to the client. */
export class JsonRefused extends NamedError {}

/**
 * Parses JSON from a client: UTF-8, with or without a byte order mark, at most 20 levels deep, with integers as in
 * `parseJson`. Throws JsonRefused. All JSON from clients is parsed here.
 */
export function readJson(bytes: Buffer): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (depthOf(text) <= MAX_DEPTH) return parseJson(text);
  } catch {
    throw new JsonRefused('Could not parse the request body as JSON.');
  }
  throw new JsonRefused('$: is nested too deeply');
}

/** Returns the nesting depth of a JSON text without building any value. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) deepest = Math.max(deepest, (depth += 1));
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return deepest;
}

/**
 * Parses JSON and keeps the digits of integers above 2^53, since ids may be bare numbers (docs/api/requests.md#ids):
 * they become marked strings, see `isLongInteger`. Throws SyntaxError for invalid JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Marks only valid JSON: quoting could make invalid JSON valid, such as `{1234567890123456:1}`.
  return LONG_INTEGER.test(text) ? JSON.parse(markLongIntegers(text)) : value;
}

/** Reports whether a value is a bare integer of 16 digits or more. */
export function isLongInteger(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK) && /^[0-9]+$/.test(value.slice(1));
}

/** Writes a value of `parseJson` as JSON again, with all digits of its integers. */
export function writeParsedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0000(\d+)"/g, '$1');
}

/** Returns the digits of a value for which `isLongInteger` is true. */
export function longIntegerDigits(value: string): string {
  return value.slice(MARK.length);
}

function markLongIntegers(text: string): string {
  let marked = '';
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (isPlainLongInteger(text, at, end)) {
        marked += `${text.slice(copied, at)}"\\u0000${text.slice(at, end)}"`;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return marked + text.slice(copied);
}

function isPlainLongInteger(text: string, start: number, end: number): boolean {
  const isNegative = text.charCodeAt(start - 1) === MINUS;
  return end - start >= 16 && !isNegative && /^[0-9]+$/.test(text.slice(start, end));
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

/** Returns the end of a number with its fraction and exponent, so that `1.2345678901234567` stays unchanged. */
function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[0-9.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
