import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { AuthRequest } from '../auth/auth-request.js';
import type { BodyRoom } from './body-room.js';
import { readBody } from './read-body.js';

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
