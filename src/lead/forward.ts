import { type IncomingMessage, request as requestHttp, type ServerResponse, STATUS_CODES } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isLoopback } from '../core/loopback.js';
import { isLedHost } from './hosts.js';
import { mayPass, reasonFor, type Passage } from './passage.js';

/** Headers for the proxy itself (RFC 9110 7.6.1). */
const PROXY_HEADERS = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive']);

/** Forwards a request that arrived without TLS. */
export function forward(options: Passage, request: IncomingMessage, response: ServerResponse): void {
  const target = targetOf(request);
  if (!target) return answer(response, 400, 'This is the proxy of pipit lead.\n');
  const isLed = isLedHost(target.hostname);
  if (!isLed && !mayPass(options, target.hostname)) return answer(response, 403, reasonFor(target.hostname));
  const send = target.protocol === 'https:' && !isLed ? requestHttps : requestHttp;
  const via =
    isLed || isLoopback(target.hostname) || target.protocol === 'https:' ? undefined : options.upstream;
  const passed = send({
    ...(isLed ? options.pipit : (via ?? addressOf(target))),
    path: via ? target.href : target.pathname + target.search,
    method: request.method,
    headers: [...forwardedHeaders(request, target.host), ...Object.entries(via?.headers ?? {}).flat()],
    setHost: false,
    agent: false,
  });
  passed.on('response', (answered) => {
    try {
      response.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders);
    } catch (error) {
      // Such as a status below 100, which no server may send.
      return passed.destroy(error as Error);
    }
    answered.pipe(response);
    answered.on('error', () => response.destroy());
  });
  passed.on('error', () =>
    response.headersSent ? response.destroy() : answer(response, 502, 'No answer.\n'),
  );
  passed.on('upgrade', (_, socket) => {
    socket.destroy();
    answer(response, 502, 'The protocol changed.\n');
  });
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}

/** Returns the URL of a request in absolute form, or in origin form to a led host. */
function targetOf({ url = '', headers: { host = '' } }: IncomingMessage): URL | undefined {
  const text = url.startsWith('/') ? `http://${host}${url}` : url;
  const target = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = target?.protocol === 'http:' || target?.protocol === 'https:';
  if (!target || !isWeb) return undefined;
  return url.startsWith('/') && !isLedHost(target.hostname) ? undefined : target;
}

function addressOf({ hostname, port }: URL) {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port };
}

/** Keeps names, order and repetitions, as a signature may cover them. */
function forwardedHeaders({ rawHeaders }: IncomingMessage, host: string): string[] {
  const headers = ['Host', host];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'host' && !PROXY_HEADERS.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

function answer(response: ServerResponse, status: number, text: string): void {
  // With the usual words: those of a malformed answer may have been set.
  response.writeHead(status, STATUS_CODES[status], { 'content-type': 'text/plain' }).end(text);
}
