import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { isLoopback } from '../core/loopback.js';
import type { KeyedCertificate } from './certificates.js';
import { isLedHost } from './hosts.js';
import { hostAndPort, type HostAndPort } from './host-and-port.js';
import { openTunnel, type Upstream } from './upstream.js';

export interface ProxyOptions {
  /** The address of the server. */
  readonly pipit: HostAndPort;
  /** What led hosts present. */
  readonly certificate: KeyedCertificate;
  /** Reports whether requests to another host may pass. */
  readonly allows: (host: string) => boolean;
  /** Called for each refused request. */
  readonly onRefused: (host: string) => void;
  /** The proxy that the environment already named. */
  readonly upstream: Upstream | undefined;
}

/** A running proxy on two ports of this machine. */
export interface Proxy {
  /** For programs that know it as their proxy: refuses hosts that are neither led nor allowed. */
  readonly port: number;
  /** For preloaded programs, which reach every other host as before. */
  readonly openPort: number;
  close(): Promise<void>;
}

/** The first byte of a TLS connection (RFC 8446 5.1). */
const TLS_HANDSHAKE = 22;

/** Headers for the proxy itself (RFC 9110 7.6.1). */
const PROXY_HEADERS = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive']);

/**
 * Starts the proxy. Both ports accept CONNECT, requests in absolute form, and the connections of led hosts themselves,
 * with TLS or without. Requests to led hosts go to the server, and those to this machine pass.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const start = async (isOpen: boolean): Promise<Server> => {
    const receive = createReceiver({ ...options, allows: (host) => isOpen || options.allows(host) });
    const server = createTcpServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      receive(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const [closed, open] = await Promise.all([start(false), start(true)]);
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  return {
    port: portOf(closed),
    openPort: portOf(open),
    close: async () => {
      const ended = [closed, open].map((server) => once(server.close(), 'close'));
      for (const socket of sockets) socket.destroy();
      await Promise.all(ended);
    },
  };
}

/** Creates the function that serves a connection, after a look at its first byte. */
function createReceiver(options: ProxyOptions): (socket: Duplex) => void {
  const { certificate, pipit } = options;
  const secure = createTlsServer({
    cert: certificate.certificate,
    key: certificate.key,
    ALPNProtocols: ['http/1.1'],
  });
  secure.on('secureConnection', (socket) => join(socket, connect(pipit.port, pipit.host)));
  const plain = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) =>
    forward(options, request, response),
  );
  const receive = (socket: Duplex): void => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit('connection', socket);
      setImmediate(() => socket.resume());
    });
  };
  plain.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = hostAndPort(request.url ?? '');
    if (!target) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    if (isLedHost(target.host)) {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      return receive(socket);
    }
    if (!mayPass(options, target.host)) return socket.end(refusalOf(target.host));
    void tunnel(options, target, socket);
  });
  return receive;
}

function mayPass({ allows, onRefused }: ProxyOptions, host: string): boolean {
  const passes = isLoopback(host) || allows(host);
  if (!passes) onRefused(host);
  return passes;
}

async function tunnel({ upstream }: ProxyOptions, target: HostAndPort, socket: Duplex): Promise<void> {
  try {
    const far = await openTunnel(target, isLoopback(target.host) ? undefined : upstream);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    join(socket, far);
  } catch {
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  }
}

/** Passes everything between two connections. The end of one is the end of the other. */
function join(near: Duplex, far: Duplex): void {
  near.pipe(far).pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

/** Forwards a request that arrived without TLS. */
function forward(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): void {
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
    response.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders);
    answered.pipe(response);
    answered.on('error', () => response.destroy());
  });
  passed.on('error', () =>
    response.headersSent ? response.destroy() : answer(response, 502, 'No answer.\n'),
  );
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

function reasonFor(host: string): string {
  return `pipit lead refused this request: ${host} is not a host of X. Allow it with --allow ${host}.\n`;
}

function refusalOf(host: string): string {
  const reason = reasonFor(host);
  const head = [
    'HTTP/1.1 403 Forbidden',
    'Content-Type: text/plain',
    `Content-Length: ${Buffer.byteLength(reason)}`,
  ];
  return `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${reason}`;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}
