import { once } from 'node:events';
import { createServer } from 'node:net';
import type { App } from '../api/app.js';
import type { Config } from './config.js';
import { NamedError } from '../core/named-error.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Hosts that mean all addresses of the machine; clients cannot call them. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Thrown when a port cannot be listened on; the message gives the reason. */
export class ListenRefused extends NamedError {}

/**
 * Finds the port before anything is stored: links in loaded posts contain it, and a start that cannot listen must not
 * leave credentials that were never shown.
 */
export async function findPort({ host, port }: Address): Promise<number> {
  const server = createServer();
  try {
    // Exclusive, since a cluster would otherwise share the socket between its processes.
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    throw listenRefused({ host, port }, error);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Listens on an address. Throws ListenRefused. */
export async function listen(app: Pick<App, 'listen'>, address: Address): Promise<void> {
  try {
    await app.listen(address);
  } catch (error) {
    throw listenRefused(address, error);
  }
}

/** Converts a listen error to a message for the operator. */
export function listenRefused({ host, port }: Address, cause: unknown): ListenRefused {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine does not have the address',
    ENOTFOUND: 'unknown host',
  };
  const reason = typeof code === 'string' ? (reasons[code] ?? code) : String(cause);
  return new ListenRefused(`cannot listen on ${hostInUrl(host)}:${port}: ${reason}`, { cause });
}

/** Returns a host in the syntax of URLs. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns the public URL of the server, which is also the base of links. */
export function publicUrlOf({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${WILDCARDS.has(host) ? 'localhost' : hostInUrl(host)}:${port}`;
}
