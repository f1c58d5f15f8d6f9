import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type AuthRequest, countHeader } from '../auth/auth-request.js';
import type { BodyRoom } from './body-room.js';
import { readBody } from './read-body.js';
import { invalidRequest } from '../core/errors.js';
import { clip } from './faults.js';

/**
 * Reads the body if it is a form: OAuth 1.0a signs it, so it must be read before anything else. Rejects like
 * `readBody`.
 */
export function readForm(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom,
): Promise<Buffer | undefined> | undefined {
  return isForm(request.headers['content-type']) ? readBody(request, maxBytes, room) : undefined;
}

/** Returns what authentication needs of a request, with the body read by `readForm`. */
export function authRequestOf(request: IncomingMessage, form: Buffer | undefined): AuthRequest {
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    formBody: form?.toString(),
    encrypted: (request.socket as Partial<TLSSocket>).encrypted === true,
    remoteAddress: request.socket.remoteAddress,
  };
}

const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

/** Reports whether a content-type header is `application/x-www-form-urlencoded`. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM.test(contentType);
}

/** Returns the media type of a content-type header in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Headers of which `node:http` returns only the first value. Authorization is checked where credentials are read. */
const SINGLE_HEADERS = ['host', 'content-type'];

/**
 * Throws a 400 for a duplicate header (RFC 9112 3.2, RFC 9110 5.3), whose effective value would be ambiguous.
 * `rawHeaders` are alternating names and values.
 */
export function requireSingleHeaders(rawHeaders: readonly string[]): void {
  for (const name of SINGLE_HEADERS) {
    if (countHeader(rawHeaders, name) > 1) {
      const message = `Duplicate headers are not allowed: the \`${name}\` header`;
      throw invalidRequest(name, valuesOf(name, rawHeaders), message);
    }
  }
}

function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
    .map(clip);
}
