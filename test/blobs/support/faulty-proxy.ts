import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/** What the proxy does to a request; 'pass' forwards it. */
export type Fault =
  | 'pass'
  /** Cuts the connection before a response. */
  | 'cut'
  /** Responds with 500. */
  | 'error'
  /** Never responds. */
  | 'silence'
  /** Cuts the connection in the middle of the response's body. */
  | 'cut-body'
  /** Changes a byte of the request's body. */
  | 'damage';

/** A request as the proxy received it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** A proxy between a client and an object store that does what tests say. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number;
  /** Decides about each request; forwards by default. */
  decide: (request: SeenRequest) => Fault;
  readonly seen: SeenRequest[];
}

/** Starts a proxy for the server on `target`, a port of 127.0.0.1. */
export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers };
    seen.push(one);
    apply(proxy.decide(one), request, response, target);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultyProxy = {
    port: (server.address() as AddressInfo).port,
    decide: () => 'pass',
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function apply(fault: Fault, request: IncomingMessage, response: ServerResponse, port: number): void {
  if (fault === 'silence') return;
  if (fault === 'cut') request.socket.destroy();
  else if (fault === 'error') response.writeHead(500).end();
  else forward(fault, request, response, port);
}

function forward(fault: Fault, request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const onward = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault === 'cut-body') answer.once('data', () => setImmediate(() => request.socket.destroy()));
    answer.pipe(response);
  });
  onward.on('error', () => request.socket.destroy());
  (fault === 'damage' ? request.pipe(damaging()) : request).pipe(onward);
}

function damaging(): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const changed = Buffer.from(chunk);
      changed[0] = (changed[0] ?? 0) ^ 1;
      done(null, changed);
    },
  });
}
