import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { DEFAULT_MAX_BODY_BYTES } from './body/body.js';
import { readBody } from './body/read-body.js';
import type { Answer, Method } from './endpoint.js';
import { Exchange } from './exchange.js';
import { hasV1Errors } from './problems-v1.js';
import { type PathValues, type Serve, type Shell, queryOf } from './serve-endpoint.js';

/** A request as a plain route sees it: nothing is authenticated, limited or checked but the body's size. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly path: PathValues;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly encrypted: boolean;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
}

/** A route that is no part of the interface's catalogue: pages, assets, OAuth. A GET also answers HEAD. */
export interface PlainRoute {
  readonly method: Method;
  /** As an endpoint's; a last step `*` takes the rest of the path, also as `path['*']`. */
  readonly path: string;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  handler(request: PlainRequest): Answer | Promise<Answer>;
}

/** Turns a plain route into what answers its requests. Errors thrown become problems, as everywhere. */
export function servePlain(route: PlainRoute, shell: Shell): Serve {
  const style = hasV1Errors(route.path) ? 'v1' : 'problem';
  const name = `${route.method} ${route.path}`;
  const maxBytes = route.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  return async (request, response, path) => {
    const exchange = new Exchange(response, shell.newRequestId(), name, style);
    try {
      const answer = await route.handler({
        method: request.method ?? 'GET',
        url: request.url ?? '/',
        path,
        rawQuery: queryOf(request.url ?? ''),
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: await readBody(request, maxBytes),
        encrypted: (request.socket as Partial<TLSSocket>).encrypted === true,
        remoteAddress: request.socket.remoteAddress,
        requestId: exchange.requestId,
      });
      exchange.answer(answer.status, answer);
    } catch (error) {
      exchange.fail(error, shell.clock, shell.log);
    }
  };
}
