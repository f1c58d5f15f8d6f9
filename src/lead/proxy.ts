import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
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
import { forward } from './forward.js';
import { isLedHost } from './hosts.js';
import { hostAndPort, type HostAndPort } from './host-and-port.js';
import { mayPass, reasonFor, type Passage } from './passage.js';
import { openTunnel } from './upstream.js';

export interface ProxyOptions extends Passage {
  /** What led hosts present. */
  readonly certificate: KeyedCertificate;
  /** An address of this machine that stands for the led hosts, for programs that find it in a hosts file. */
  readonly standIn?: string;
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

/** Where programs connect to the led hosts. */
const WEB_PORTS = [80, 443];

/**
 * Starts the proxy. Both ports accept CONNECT, requests in absolute form, and the connections of led hosts themselves,
 * with TLS or without. Requests to led hosts go to the server, and those to this machine pass.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const start = async (isOpen: boolean, port = 0, host = '127.0.0.1'): Promise<Server> => {
    const receive = createReceiver({ ...options, allows: (host) => isOpen || options.allows(host) });
    const server = createTcpServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      receive(socket);
    });
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  };
  const [closed, open] = await Promise.all([start(false), start(true)]);
  const standIns = await Promise.all(
    options.standIn === undefined ? [] : WEB_PORTS.map((port) => start(false, port, options.standIn)),
  );
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  return {
    port: portOf(closed),
    openPort: portOf(open),
    close: async () => {
      const ended = [closed, open, ...standIns].map((server) => once(server.close(), 'close'));
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

async function tunnel({ upstream }: ProxyOptions, target: HostAndPort, socket: Duplex): Promise<void> {
  try {
    const far = await openTunnel(target, isLoopback(target.host) ? undefined : upstream);
    if (socket.destroyed) return void far.destroy();
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

function refusalOf(host: string): string {
  const reason = reasonFor(host);
  const head = [
    'HTTP/1.1 403 Forbidden',
    'Content-Type: text/plain',
    `Content-Length: ${Buffer.byteLength(reason)}`,
  ];
  return `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${reason}`;
}
