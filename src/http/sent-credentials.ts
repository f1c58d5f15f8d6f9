import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { AuthRequest } from '../auth/auth-request.js';
import type { BodyRoom } from './body-room.js';
import { isForm } from './content-type.js';
import { readBody } from './read-body.js';

/**
 * The body when it is a form, which is part of what OAuth 1.0a signs and must be read before anything else; no other
 * body is. Rejects as `readBody`.
 */
export function readForm(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom,
): Promise<Buffer | undefined> | undefined {
  return isForm(request.headers['content-type']) ? readBody(request, maxBytes, room) : undefined;
}

/** What authentication reads of a request whose form, if its body is one, was read. */
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
