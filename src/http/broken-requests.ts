import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isStreamingBody } from './read-body.js';
import { NO_CACHE, commonHeaders } from './exchange.js';
import { keepAnswer, lastAnswerOver } from './request-listeners.js';
import type { HttpShell } from './shell.js';
import { type ProblemAnswer, blank } from './problems.js';

/** How long a client may keep sending after such a response before the connection is closed. */
const LINGER_MS = 1000;

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const IS_REFUSED = Symbol('is refused');

interface Connection extends Duplex {
  /** Set after invalid HTTP; nothing is read any more then. */
  [IS_REFUSED]?: boolean;
}

/** The dependencies of responses to broken requests. */
export type BrokenRequestDeps = Pick<HttpShell, 'newRequestId' | 'clock' | 'headers'>;

/** Answers requests that `node:http` itself refuses with a problem instead of an empty response or none. */
export function answerBrokenRequests(server: Server, deps: BrokenRequestDeps): void {
  server.on('request', keepAnswer);
  server.on('connect', (_request, socket) => {
    // `node:http` no longer listens to the socket: a reset would end the process.
    socket.on('error', () => socket.destroy());
    endWith(socket, blank(405, 'Method Not Allowed'), deps);
  });
  server.on('clientError', (error: ClientError, socket) => answerClientError(deps, error, socket));
  // An unknown expectation may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/**
 * Answers invalid or slow requests on the socket and closes it; streamed bodies have their own timeout. A complete
 * request before it gets its own response first (RFC 9112 9.3.2), since it may have written data.
 */
export function answerClientError(deps: BrokenRequestDeps, error: ClientError, socket: Duplex): void {
  if (error.code === REQUEST_TIMEOUT && isStreamingBody(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    // After the response, remaining input arrives here too until the timer closes the socket.
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const connection: Connection = socket;
  if (connection[IS_REFUSED]) return;
  connection[IS_REFUSED] = true;
  const refuse = (): void => endWith(socket, problemOfClientError(error), deps);
  const answer = lastAnswerOver(connection);
  if (answer?.req.complete && !answer.closed) answer.once('close', refuse);
  else refuse();
}

/** The error of `node:http` for a request that it could not read. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes at which parsing stopped; a Buffer, if present. */
  readonly rawPacket?: unknown;
}

function problemOfClientError(error: ClientError): ProblemAnswer {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return isLongUrl(error.rawPacket)
      ? blank(414, 'URI Too Long')
      : blank(431, 'Request Header Fields Too Large');
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return blank(413, 'Payload Too Large');
  if (error.code === REQUEST_TIMEOUT) return blank(408, 'Request Timeout');
  return blank(400, 'Bad Request', 'The request is not valid HTTP.');
}

/** Reports whether the packet starts with a request line that is too long. */
function isLongUrl(packet: unknown): boolean {
  if (!(packet instanceof Buffer)) return false;
  const lineEnd = packet.indexOf('\r\n');
  const line = packet.subarray(0, lineEnd === -1 ? packet.length : lineEnd);
  return line.length > packet.length / 2 && /^[A-Z]+ \//.test(line.subarray(0, 20).toString('latin1'));
}

function endWith(socket: Duplex, problem: ProblemAnswer, deps: BrokenRequestDeps): void {
  const { newRequestId, clock, headers = {} } = deps;
  if (!socket.writable) return;
  const body = JSON.stringify(problem.body);
  // The start of the request is unknown; the response is immediate.
  const head = commonHeaders(newRequestId(), 0);
  head.push('date', new Date(clock()).toUTCString(), 'content-type', problem.contentType);
  head.push('content-length', Buffer.byteLength(body), 'cache-control', NO_CACHE, 'connection', 'close');
  head.push(...Object.entries(headers).flat());
  const lines = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`];
  for (let index = 0; index < head.length; index += 2) lines.push(`${head[index]}: ${head[index + 1]}`);
  socket.end([...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
