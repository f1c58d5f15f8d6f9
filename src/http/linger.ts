import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { Socket } from 'node:net';

/** How long the rest of a request is read after the response that closes its connection. */
const LINGER_MS = 30_000;

/**
 * Lets a client that is still sending receive a response that closes the connection: the server stops sending, reads
 * and discards the rest of the request, and closes then, or after `lingerMs` (RFC 9112 9.6). Closing at once would
 * reset the connection, and the reset can overtake the response.
 */
export function lingerOnClose(server: Server, lingerMs = LINGER_MS): void {
  server.on('request', (request) => {
    const { socket, headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    // `node:http` calls this method after the last response of a connection.
    socket.destroySoon = () => {
      if (request.complete) closeOnceSent(socket);
      else linger(request, lingerMs);
    };
  });
}

/**
 * Leaves out requests that follow the response that closes their connection: nothing can answer them, so the client
 * may repeat them (RFC 9112 9.3.2, 9.6).
 */
export function whileOpen(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.socket.writableEnded) request.resume();
    else handle(request, response);
  };
}

function linger(request: IncomingMessage, lingerMs: number): void {
  const { socket } = request;
  const close = (): void => {
    clearTimeout(timer);
    closeOnceSent(socket);
  };
  const timer = setTimeout(close, lingerMs);
  request.once('close', close);
  socket.end();
}

function closeOnceSent(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
