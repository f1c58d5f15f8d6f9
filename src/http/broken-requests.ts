import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../core/clock.js';
import { isPatient } from './read-body.js';
import { NO_CACHE, commonHeaders } from './exchange.js';
import { ignoreLateErrors } from './last-answer.js';
import { type ProblemAnswer, blank } from './problems.js';

/** How long a client may keep sending after such an answer before the connection is cut. */
const LINGER_MS = 1000;

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const LAST_ANSWER = Symbol('last answer');
const IS_REFUSED = Symbol('is refused');

interface Connection extends Duplex {
  /** To the request that came over it last. */
  [LAST_ANSWER]?: ServerResponse;
  /** Whether something came over it that is no request; nothing is read any more then. */
  [IS_REFUSED]?: boolean;
}

/** What such answers need for their headers. */
export interface BrokenRequestDeps {
  readonly newRequestId: () => string;
  readonly clock: Clock;
  /** What every answer carries besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests that `node:http` itself refuses get a problem as their answer, not an empty one or none. */
export function answerBrokenRequests(server: Server, deps: BrokenRequestDeps): void {
  server.on('request', ({ socket }: { readonly socket: Connection }, response) => {
    ignoreLateErrors(response);
    socket[LAST_ANSWER] = response;
  });
  server.on('connect', (_request, socket) => {
    // `node:http` no longer listens to it: a reset would end the process.
    socket.on('error', () => socket.destroy());
    endWith(socket, blank(405, 'Method Not Allowed'), deps);
  });
  // An unknown expectation may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/** The answer to the request that came last over a connection, of a server that `answerBrokenRequests` sees to. */
export function lastAnswerOver(connection: Connection): ServerResponse | undefined {
  return connection[LAST_ANSWER];
}

/**
 * Answers what is no HTTP request on its socket, or too slow a one, and closes it; large bodies have a time of their own.
 * A whole request that came before gets its own answer first (RFC 9112 9.3.2): it may have written something.
 */
export function answerClientError(deps: BrokenRequestDeps, error: ClientError, socket: Duplex): void {
  if (error.code === REQUEST_TIMEOUT && isPatient(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    // After an answer the rest of what the client sends arrives here too; the timer ends that.
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const connection: Connection = socket;
  if (connection[IS_REFUSED]) return;
  connection[IS_REFUSED] = true;
  const refuse = (): void => endWith(socket, problemOfClientError(error), deps);
  const answer = connection[LAST_ANSWER];
  if (answer?.req.complete && !answer.closed) answer.once('close', refuse);
  else refuse();
}

/** What `node:http` tells about a request that it could not read. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes at which reading stopped; a Buffer, if there is one. */
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

/** True when the packet starts a request whose first line is what is too long. */
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
  // Nothing tells when the request began; its answer is made at once.
  const head = commonHeaders(newRequestId(), 0);
  head.push('date', new Date(clock()).toUTCString(), 'content-type', problem.contentType);
  head.push('content-length', Buffer.byteLength(body), 'cache-control', NO_CACHE, 'connection', 'close');
  head.push(...Object.entries(headers).flat());
  const lines = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`];
  for (let index = 0; index < head.length; index += 2) lines.push(`${head[index]}: ${head[index + 1]}`);
  socket.end([...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
