import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy with a lasting port before a server that is replaced, as a load balancer is one: connections that are made
 * while there is no server wait for the next one.
 */
export interface Front {
  readonly port: number;
  /** Returns the number of connections so far. */
  connections(): number;
  /** Leads connections that wait, and later ones, to a port of this machine; without a port they wait. */
  lead(port?: number): void;
  /** Passes nothing on any more over the present connections, which stay open. */
  hold(): void;
  close(): Promise<void>;
}

/** Starts a proxy without a server. */
export async function startFront(): Promise<Front> {
  let target: number | undefined;
  let count = 0;
  const waiting = new Set<Socket>();
  const all = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  const join = (client: Socket, port: number): void => {
    const server = connect(port, '127.0.0.1');
    client.pipe(server).pipe(client);
    pairs.set(client, server);
    // The end of one is the end of the other, however it comes.
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.end());
    }
  };
  const proxy = createServer((client) => {
    count += 1;
    all.add(client);
    client.on('close', () => [all, waiting, pairs].forEach((sockets) => sockets.delete(client)));
    client.on('error', () => client.destroy());
    if (target === undefined) waiting.add(client);
    else join(client, target);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    connections: () => count,
    lead: (port) => {
      target = port;
      if (port === undefined) return;
      for (const client of waiting) join(client, port);
      waiting.clear();
    },
    hold: () => {
      for (const [client, server] of pairs) server.unpipe(client);
    },
    close: async () => {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const client of all) client.destroy();
      await closed;
    },
  };
}
