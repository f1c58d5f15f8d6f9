/**
 * The yardstick, in its own process: a bare `node:http` server that reads each request and sends the response that
 * its parent last set. It reports its port once it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CannedAnswer {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
}

let canned: CannedAnswer = { status: 200, headers: [], body: '' };

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(canned.status, [...canned.headers]);
    response.end(canned.body);
  };
  if (request.method === 'GET') return answer();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', answer);
});

process.on('message', (answer: CannedAnswer) => {
  canned = answer;
  process.send?.('ready');
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
