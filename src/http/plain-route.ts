import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { openBody, readBody, DEFAULT_MAX_BODY_BYTES } from './read-body.js';
import type { Answer } from './answer.js';
import { Exchange, type ShowProblem } from './exchange.js';
import { hasV1Errors } from './problems-v1.js';
import { requireSingleHeaders } from './single-headers.js';
import { type HttpShell, type PathValues, type Serve, queryOf, type Method } from './shell.js';
import { wantsPage } from './wants-page.js';

/** A request as a plain route sees it: nothing is authenticated, limited or checked but the body's size. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly path: PathValues;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** Empty when the route is streamed. */
  readonly body: Buffer;
  /** The chunks of a streamed route's body (`openBody`); of any other route's there are none. */
  readonly stream: AsyncIterable<Buffer>;
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
  /** The handler reads the body as it comes: it is not to be held in memory. */
  readonly streamed?: true;
  /** The answer reads nothing that a database may have changed: it comes while the database hangs, too. */
  readonly isOfProcess?: true;
  /** Shape of error bodies; by default that of the path: problems, or the older lists below `/1.1/`. */
  readonly errorStyle?: 'problem' | 'v1';
  /**
   * For a path whose first step may be anything: false for values that are not the route's, which are answered as unknown
   * paths are. Its problems are pages for browsers alone.
   */
  readonly takes?: (path: PathValues) => boolean;
  /** What to answer in place of a problem: pages show people a page. */
  readonly showProblem?: ShowProblem;
  handler(request: PlainRequest): Answer | Promise<Answer>;
}

/** Turns a plain route into what answers its requests. Errors thrown become problems, as everywhere. */
export function servePlain(route: PlainRoute, shell: HttpShell): Serve {
  const style = route.errorStyle ?? (hasV1Errors(route.path) ? 'v1' : 'problem');
  const name = `${route.method} ${route.path}`;
  return async (request, response, path) => {
    const exchange = new Exchange(response, shell.newRequestId(), name, style);
    try {
      requireSingleHeaders(request.rawHeaders);
      if (route.isOfProcess !== true) await shell.catchUp?.();
      const answer = await route.handler({
        method: request.method ?? 'GET',
        url: request.url ?? '/',
        path,
        rawQuery: queryOf(request.url ?? ''),
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        ...(await bodyOf(route, request, shell)),
        encrypted: (request.socket as Partial<TLSSocket>).encrypted === true,
        remoteAddress: request.socket.remoteAddress,
        requestId: exchange.requestId,
      });
      exchange.answer(answer.status, answer, shell.log);
    } catch (error) {
      const isForPrograms = route.takes !== undefined && !wantsPage(request);
      exchange.fail(error, shell.clock, shell.log, isForPrograms ? undefined : route.showProblem);
    }
  };
}

async function bodyOf(
  { maxBodyBytes: maxBytes = DEFAULT_MAX_BODY_BYTES, streamed }: PlainRoute,
  request: IncomingMessage,
  { bodyRoom }: HttpShell,
): Promise<Pick<PlainRequest, 'body' | 'stream'>> {
  return streamed
    ? { body: NO_BODY, stream: openBody(request, maxBytes) }
    : { body: await readBody(request, maxBytes, bodyRoom), stream: NO_STREAM };
}

const NO_BODY = Buffer.alloc(0);
const NO_STREAM: AsyncIterable<Buffer> = Readable.from([]);
