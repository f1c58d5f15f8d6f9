import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostAndPort } from './host-and-port.js';

/** The proxy that the environment of `pipit lead` names, for requests to other hosts. */
export interface Upstream extends HostAndPort {
  readonly headers: Readonly<Record<string, string>>;
}

/** Parses the URL of a proxy. Returns undefined for proxies of other kinds, such as SOCKS. */
export function upstreamOf(text: string | undefined): Upstream | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') return undefined;
  const [username, password] = [url.username, url.password].map(percentDecoded);
  const credentials = `${username}:${password}`;
  const headers = { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return {
    host: url.hostname,
    port: Number(url.port || 80),
    headers: url.username === '' ? {} : headers,
  };
}

/** Percent-decodes a text; one with broken escapes stays as it is. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Connects to a host, through the upstream proxy if there is one. Rejects if either does not accept. */
export async function openTunnel(
  { host, port }: HostAndPort,
  upstream: Upstream | undefined,
): Promise<Duplex> {
  if (!upstream) {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return socket;
  }
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const asked = request({
    ...upstream,
    method: 'CONNECT',
    path,
    agent: false,
    headers: { ...upstream.headers, Host: path },
  });
  asked.end();
  const [{ statusCode }, socket, head] = (await once(asked, 'connect')) as [
    { readonly statusCode?: number },
    Duplex,
    Buffer,
  ];
  if (statusCode !== 200) {
    socket.destroy();
    throw new Error(`the upstream proxy answered ${statusCode}`);
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}
