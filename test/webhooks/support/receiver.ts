import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LooseJson } from '../../support/loose-json.js';

/** A POST as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: LooseJson;
}

/** A server of an app that receives events, on 127.0.0.1. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** With a path of its own for each webhook, if there are several. */
  url(path?: string): string;
  /** The POSTs, in order. */
  readonly received: readonly Received[];
  /** How many checks were answered. */
  readonly checks: number;
  /** How it answers; 200 and right tokens by default. */
  answers: {
    /** Returns the status of a POST. */
    post: (received: Received) => number | Promise<number>;
    /** Answers a check itself. */
    check?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  };
  close(): Promise<void>;
}

/** Returns `sha256=` and the HMAC of a text, as the documentation has it. */
export function hmac(secret: string, text: string): string {
  return 'sha256=' + createHmac('sha256', secret).update(text).digest('base64');
}

/** Starts a receiver that knows the API secret of an app, or asks for it at each check. */
export async function startReceiver(apiSecret: string | (() => string), port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const secretOf = typeof apiSecret === 'string' ? () => apiSecret : apiSecret;
  let checks = 0;
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
    const token = searchParams.get('crc_token');
    if (request.method === 'GET' && token !== null) {
      checks += 1;
      if (receiver.answers.check) return receiver.answers.check(request, response);
      return void response.end(JSON.stringify({ response_token: hmac(secretOf(), token) }));
    }
    void textOf(request).then(async (text) => {
      const post = { path: pathname, headers: request.headers, text, body: JSON.parse(text) as LooseJson };
      received.push(post);
      response.writeHead(await receiver.answers.post(post)).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    url: (path = '/') => `http://127.0.0.1:${receiver.port}${path}`,
    received,
    get checks() {
      return checks;
    },
    answers: { post: () => 200 },
    close,
    [Symbol.asyncDispose]: close,
  };
  return receiver;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
