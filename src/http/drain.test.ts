import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerBrokenRequests } from './broken-requests.js';
import { createDrain, type DrainTimeouts } from './drain.js';

const LONG_MS = 60_000;
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** Collects the data of a connection until it ends. */
function collect(socket: Socket): {
  text(): string;
  answers(count: number): Promise<void>;
  end: Promise<string>;
} {
  let received = '';
  const count = (): number => received.split('HTTP/1.1').length - 1;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  return {
    text: () => received,
    answers: async (wanted) => {
      while (count() < wanted) await once(socket, 'data');
    },
    end: new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('end', () => resolve(received));
    }),
  };
}

describe('a server that drains', () => {
  const server = () => {
    const waiting: ServerResponse[] = [];
    const http = createServer((request, response) => {
      if (request.url === '/slow') waiting.push(response);
      else response.end('quick');
    });
    answerBrokenRequests(http, { newRequestId: () => '1', clock: Date.now });
    return { http, waiting, drain: createDrain(http) };
  };
  let running: ReturnType<typeof server>;

  beforeEach(async () => {
    running = server();
    running.http.listen(0, '127.0.0.1');
    await once(running.http, 'listening');
  });
  afterEach(() => running.http.closeAllConnections());

  const open = async () => {
    const socket = connect((running.http.address() as AddressInfo).port, '127.0.0.1');
    const received = collect(socket);
    socket.write(REQUEST);
    await received.answers(1);
    expect(received.text()).toContain('Connection: keep-alive');
    return { socket, received };
  };
  const openSlow = async () => {
    const opened = await open();
    const asked = once(running.http, 'request');
    opened.socket.write(REQUEST.replace('/', '/slow'));
    await asked;
    return opened;
  };
  const drain = (timeouts: Partial<DrainTimeouts>): Promise<void> =>
    running.drain({ lingerMs: LONG_MS, limitMs: LONG_MS, ...timeouts });

  it('answers the next request over an idle connection and asks the client to close it', async () => {
    const { socket, received } = await open();
    const drained = drain({});
    socket.write(REQUEST);
    const [, , last] = (await received.end).split('HTTP/1.1');
    expect(last).toMatch(/200 OK[^]*connection: close[^]*quick/i);
    await drained;
  });

  it('asks to close the connection in the responses to running requests', async () => {
    const { received } = await openSlow();
    const drained = drain({ lingerMs: 0 });
    running.waiting[0]?.end('at last');
    expect(await received.end).toMatch(/connection: close[^]*at last/i);
    await drained;
  });

  it('closes idle connections after the linger timeout and accepts no new ones', async () => {
    const { received } = await open();
    const { port } = running.http.address() as AddressInfo;
    await drain({ lingerMs: 1 });
    expect(await received.end).toMatch(/quick/);
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('aborts running requests at its limit, and not before', async () => {
    const [{ received }, { received: idle }] = [await openSlow(), await open()];
    const drained = drain({ lingerMs: 1, limitMs: 500 });
    // The sweep that closed this one did not close the other.
    await idle.end;
    expect(running.waiting[0]?.destroyed).toBe(false);
    await drained;
    expect(await received.end).not.toContain('at last');
  });
});
