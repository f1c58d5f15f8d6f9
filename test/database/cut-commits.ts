import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a PostgreSQL server on which answers get lost. */
interface CutCommits {
  readonly url: string;
  /** Cuts the connection of the next commit after the server has run it, or before, if it arrives only `later`. */
  arm(later?: Promise<void>): void;
  close(): Promise<void>;
}

/** Listens on a free port and passes everything on to the server of the URL, which is a Unix socket. */
export async function cutCommits(url: string): Promise<CutCommits> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const path = `${decodeURIComponent(hostname)}/.s.PGSQL.${port}`;
  const open = new Set<Socket>();
  let isArmed = false;
  let arrival: Promise<void> | undefined;
  const server = createServer((client) => {
    const target = connect(path);
    let isCut = false;
    client.on('data', (data) => {
      if (isArmed && data.includes('COMMIT')) {
        isArmed = false;
        isCut = true;
        if (arrival) {
          client.destroy();
          void arrival.then(() => target.write(data));
          return;
        }
      }
      target.write(data);
    });
    target.on('data', (data) => {
      if (!isCut) client.write(data);
      else if (data.includes('COMMIT')) client.destroy();
    });
    for (const [socket, peer] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        if (!isCut || !arrival) peer.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${address.port}${pathname}`,
    arm: (later) => {
      isArmed = true;
      arrival = later;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
