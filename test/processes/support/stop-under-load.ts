import { Agent } from 'node:http';
import { expect } from 'vitest';
import { bearer, send } from './cluster.js';

/** A server that is asked to stop during requests. */
export interface Stoppable {
  readonly url: string;
  /** A user’s token with permission to post. */
  readonly token: string;
  /** Asks the server to stop. */
  stop(): void;
}

const CLIENTS = 12;
const POSTS_BEFORE_STOP = 50;

/**
 * Creates posts over several persistent connections, stops the server, and continues on each connection until a
 * response closes it. Expects a response to every request.
 */
export async function stopUnderLoad({ url, token, stop }: Stoppable): Promise<void> {
  let posted = 0;
  const onPosted = (): void => {
    posted += 1;
    if (posted === POSTS_BEFORE_STOP) stop();
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => `Client ${index},`);
  await Promise.all(clients.map((name) => postUntilClosed({ url, token }, name, onPosted)));
  expect(posted).toBeGreaterThanOrEqual(POSTS_BEFORE_STOP);
}

/** Creates posts over one connection until a response closes it. */
async function postUntilClosed(
  { url, token }: Pick<Stoppable, 'url' | 'token'>,
  name: string,
  onPosted: () => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; ; count += 1) {
    const options = { agent, body: { text: `${name} no. ${count}` } };
    const { status, headers } = await send(`${url}/2/tweets`, bearer(token), options);
    expect(status).toBe(201);
    onPosted();
    if (headers.connection === 'close') return;
  }
}
