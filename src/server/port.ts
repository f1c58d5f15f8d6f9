import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from './config.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Hosts that mean every address of the machine: none that a client could call. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** A port that cannot be listened on; the message tells which and why. */
export class ListenRefused extends Error {
  override readonly name = 'ListenRefused';
}

/**
 * Finds out which port there will be, before anything is stored: links in loaded posts name it, and a start that cannot
 * listen should leave no first credentials that nobody was told of.
 */
export async function findPort({ host, port }: Address): Promise<number> {
  const server = createServer();
  try {
    // Exclusive: the socket that a cluster's processes share would be another.
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

/** What the error of listening means to the operator. */
export function listenRefused({ host, port }: Address, cause: unknown): ListenRefused {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'that takes more rights than this user has',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'there is no such host',
  };
  const reason = typeof code === 'string' ? (reasons[code] ?? code) : String(cause);
  return new ListenRefused(`cannot listen on ${hostInUrl(host)}:${port}: ${reason}`, { cause });
}

/** A host as URLs spell it. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Where clients reach the server, and where links lead. */
export function publicUrlOf({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${WILDCARDS.has(host) ? 'localhost' : hostInUrl(host)}:${port}`;
}
