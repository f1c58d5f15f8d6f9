import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Principal } from '../core/access.js';
import { openBody, readBody, DEFAULT_MAX_BODY_BYTES } from './read-body.js';
import type { Answer } from './answer.js';
import { Exchange, type ShowProblem } from './exchange.js';
import { hasV1Errors } from './problems-v1.js';
import { requireSingleHeaders } from './request-parts.js';
import type { HttpShell, PathValues, Serve, Method } from './shell.js';
import { pathOf, queryOf, type AuthRequest } from '../auth/auth-request.js';

/** A request to a plain route: only the body's size is checked; there is no authentication and no rate limit. */
export interface PlainRequest extends Pick<AuthRequest, 'method' | 'url' | 'headers' | 'encrypted'> {
  readonly path: PathValues;
  readonly rawQuery: string;
  readonly rawHeaders: readonly string[];
  /** Empty if the route is streamed. */
  readonly body: Buffer;
  /** The chunks of a streamed route's body (`openBody`); empty for other routes. */
  readonly stream: AsyncIterable<Buffer>;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  /** Will carry the answer. Handlers do not write to it. */
  readonly response?: ServerResponse;
  /** Records the sender that the handler has authenticated, for the log and `x-access-level`. */
  readonly identify: (principal: Principal) => void;
}

/** A route outside the API catalogue: pages, assets, OAuth. A GET route also answers HEAD. */
export interface PlainRoute {
  readonly method: Method;
  /** As for endpoints; a final `*` matches the rest of the path, available as `path['*']`. */
  readonly path: string;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** The handler reads the body as a stream; it is not buffered. */
  readonly streamed?: true;
  /** The route does not need the database and works while it hangs. */
  readonly skipsDatabase?: true;
  /** The format of error bodies; by default that of the path: problems, or the older lists below `/1.1/`. */
  readonly errorStyle?: 'problem' | 'v1';
  /**
   * For a path with a variable first segment: returns false for values that the route does not serve, which are
   * answered like unknown paths. Its problems are pages for browsers only.
   */
  readonly takes?: (path: PathValues) => boolean;
  /** Renders problems as pages. */
  readonly showProblem?: ShowProblem;
  handler(request: PlainRequest): Answer | Promise<Answer>;
}

/** Creates the function that serves a plain route. Errors become problems. */
export function servePlain(route: PlainRoute, shell: HttpShell): Serve {
  const style = route.errorStyle ?? (hasV1Errors(route.path) ? 'v1' : 'problem');
  const name = `${route.method} ${route.path}`;
  return async (request, response, path) => {
    const exchange = new Exchange(response, shell.newRequestId(), name, style);
    try {
      requireSingleHeaders(request.rawHeaders);
      if (route.skipsDatabase !== true) await shell.catchUp?.();
      const plain: PlainRequest = {
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
        response,
        identify: (principal) => {
          exchange.principal = principal;
        },
      };
      const answer = await answerOf(route, plain, exchange, shell);
      exchange.answer(answer.status, answer, shell.log);
    } catch (error) {
      const isForPrograms = route.takes !== undefined && !wantsPage(request);
      exchange.fail(error, shell.clock, shell.log, isForPrograms ? undefined : route.showProblem);
    }
  };
}

function answerOf(
  route: PlainRoute,
  request: PlainRequest,
  progress: Exchange,
  { around }: HttpShell,
): Answer | Promise<Answer> {
  if (around === undefined) return route.handler(request);
  const { operation, errorStyle } = progress;
  const call = { operation, errorStyle, progress, sent: request };
  const answering = around(call, async () => route.handler(request));
  return answering as Promise<Answer>;
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

/** Paths of the API, which never show pages. */
const INTERFACE_PATH = /^\/(?:2|1\.1|oauth2?)(?:\/|$)/;

/** Reports whether a request comes from a person's browser outside the API. */
export function wantsPage({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers.accept?.includes('text/html') === true && !INTERFACE_PATH.test(pathOf(url));
}
