import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough, pipeline } from 'node:stream';
import type { Recorder } from '../journal/recorder.js';
import { isLedHost } from '../lead/hosts.js';
import { readAnswer, type AnswerHead } from './read-answer.js';
import type { SeenAnswer } from './seen-answer.js';

export interface RecordProxyOptions {
  /** The server whose answers are recorded. */
  readonly target: URL;
  /** 0 for any free port. */
  readonly port: number;
  readonly record: Recorder;
  /** Receives each answer that has been read. */
  readonly onAnswer: (answer: SeenAnswer) => void;
}

/**
 * Opens a reverse proxy on the loopback address, which passes requests to the target and its answers back unchanged.
 * Rejects if it cannot listen.
 */
export async function openRecordProxy({ target, port, record, onAnswer }: RecordProxyOptions) {
  const reading = new Set<Promise<void>>();
  const server = http.createServer((request, response) => {
    record(request, response);
    forward(target, request, response, (answer, body) => {
      const read = readAnswer(headOf(request, answer), body, onAnswer).finally(() => reading.delete(read));
      reading.add(read);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Ends all connections. Resolves when the answers that have come are read. */
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(reading);
    },
  };
}

function headOf(request: IncomingMessage, { headers }: IncomingMessage): AnswerHead {
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    authorization: request.headers.authorization,
    contentType: headers['content-type'] ?? '',
    contentEncoding: headers['content-encoding'] ?? '',
  };
}

/** Headers about a connection, which each side sets for itself (RFC 9110 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function forward(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: (answer: IncomingMessage, body: PassThrough) => void,
): void {
  const host = hostFor(target, request.headers.host);
  const { protocol, hostname, port } = addressFor(target, host);
  const { request: send } = protocol === 'https:' ? https : http;
  const outgoing = send({
    hostname,
    port,
    method: request.method,
    path: request.url,
    headers: [...passedHeaders(request.rawHeaders), 'Host', host],
    setHost: false,
  });
  outgoing.on('response', (answer) => {
    const copy = new PassThrough();
    try {
      response.writeHead(answer.statusCode ?? 502, passedHeaders(answer.rawHeaders));
    } catch (error) {
      // Such as a status below 100, which no server may send.
      return outgoing.destroy(error as Error);
    }
    onAnswer(answer, copy);
    // Sent at once: a stream may have no first byte for long.
    response.flushHeaders();
    answer.on('data', (chunk: Buffer) => copy.write(chunk));
    answer.once('close', () => copy.end());
    pipeline(answer, response, () => undefined);
  });
  outgoing.on('error', (error) => refuse(response, error));
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy();
    refuse(response, new Error('it changed the protocol'));
  });
  response.once('close', () => outgoing.destroy());
  pipeline(request, outgoing, () => undefined);
}

/**
 * Returns the host that the target sees. A program that is led names a host of X, which its signature covers;
 * others name this proxy.
 */
function hostFor(target: URL, named: string | undefined): string {
  return named !== undefined && isLedHost(named.replace(/:\d+$/, '')) ? named : target.host;
}

/** Returns where a request goes: for a target of X, to the host that the request names. */
function addressFor(target: URL, host: string): URL {
  return isLedHost(target.hostname) && isLedHost(host) ? new URL(`${target.protocol}//${host}`) : target;
}

function passedHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1) return [];
    const isPassed = !OF_CONNECTION.has(name.toLowerCase()) && name.toLowerCase() !== 'host';
    return isPassed ? [name, rawHeaders[at + 1] ?? ''] : [];
  });
}

function refuse(response: ServerResponse, error: Error): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({
    title: 'Bad Gateway',
    detail: `The target did not answer: ${error.message}`,
    status: 502,
  });
  response.writeHead(502, { 'content-type': 'application/problem+json' });
  response.end(body);
}
