import { Agent, createServer, get, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How often the balancer asks whether a server is ready. */
const ASKS_MS = 40;

/** A balancer that sends requests in turn to the servers that are ready. It never repeats a request. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Adds a server by its URL, and waits until requests go to it. */
  add(url: string): Promise<void>;
  /** Waits until no request goes to the server. */
  left(url: string): Promise<void>;
  /** Returns how many requests the server has answered. */
  served(url: string): number;
}

interface Backend {
  readonly url: string;
  isReady: boolean;
  served: number;
}

/** Starts a balancer on a free port. */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, Backend>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const choose = (): Backend | undefined => {
    const ready = [...backends.values()].filter(({ isReady }) => isReady);
    turn += 1;
    return ready[turn % ready.length];
  };
  const server = createServer((request, response) => {
    const backend = choose();
    if (!backend) return void response.writeHead(502).end();
    const { method, headers } = request;
    const onward = send(`${backend.url}${request.url}`, { method, headers, agent }, (answer) => {
      backend.served += 1;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(onward);
  });
  const asking = setInterval(() => {
    for (const backend of backends.values()) void isReady(backend.url).then((is) => (backend.isReady = is));
  }, ASKS_MS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const until = async (url: string, is: boolean): Promise<void> => {
    while (backends.get(url)?.isReady !== is)
      await new Promise((resolve) => setTimeout(resolve, ASKS_MS / 2));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      backends.set(url, { url, isReady: false, served: 0 });
      await until(url, true);
    },
    left: (url) => until(url, false),
    served: (url) => backends.get(url)?.served ?? 0,
    [Symbol.asyncDispose]: async () => {
      clearInterval(asking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/readyz`, { agent: false }, (answer: IncomingMessage) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
