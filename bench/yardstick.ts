/**
 * The yardstick, in its own process: a bare `node:http` server that reads each request and sends the first response
 * for it among those that its parent last set. It reports its port once it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CannedAnswer {
  /** The requests for which it is, by method and a part of the path; absent: all. */
  readonly fits?: { readonly method: string; readonly part: string };
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
}

const EMPTY: CannedAnswer = { status: 404, headers: [], body: '' };
let canned: readonly CannedAnswer[] = [];

function cannedFor(method = '', url = ''): CannedAnswer {
  for (const answer of canned) {
    const { fits } = answer;
    if (!fits || (fits.method === method && url.includes(fits.part))) return answer;
  }
  return EMPTY;
}

const server = createServer((request, response) => {
  const answer = (): void => {
    const { status, headers, body } = cannedFor(request.method, request.url);
    response.writeHead(status, [...headers]);
    response.end(body);
  };
  if (request.method === 'GET') return answer();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', answer);
});

process.on('message', (answers: readonly CannedAnswer[]) => {
  canned = answers;
  process.send?.('ready');
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
