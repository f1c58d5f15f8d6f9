import { Agent } from 'node:https';
import { connect, type Socket } from 'node:net';

/**
 * Routes a client’s requests for `https://api…` to a server on this machine over plain TCP. URL, Host header and
 * signature stay unchanged.
 */
export class LocalAgent extends Agent {
  constructor(private readonly port: number) {
    super({ keepAlive: false });
  }

  override createConnection(): Socket {
    return connect(this.port, '127.0.0.1');
  }
}
