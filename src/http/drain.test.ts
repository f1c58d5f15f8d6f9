import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerBrokenRequests } from './broken-requests.js';
import { createDrain, type DrainTimeouts } from './drain.js';

const LONG_MS = 60_000;
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** What came over a connection until it ended. */
function hear(socket: Socket): {
  text(): string;
  answers(count: number): Promise<void>;
  end: Promise<string>;
} {
  let heard = '';
  const count = (): number => heard.split('HTTP/1.1').length - 1;
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  return {
    text: () => heard,
    answers: async (wanted) => {
      while (count() < wanted) await once(socket, 'data');
    },
    end: new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('end', () => resolve(heard));
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
    const heard = hear(socket);
    socket.write(REQUEST);
    await heard.answers(1);
    expect(heard.text()).toContain('Connection: keep-alive');
    return { socket, heard };
  };
  const openSlow = async () => {
    const opened = await open();
    const asked = once(running.http, 'request');
    opened.socket.write(REQUEST.replace('/', '/slow'));
    await asked;
    return opened;
  };
  const drain = (patience: Partial<DrainTimeouts>): Promise<void> =>
    running.drain({ lingerMs: LONG_MS, limitMs: LONG_MS, ...patience });

  it('answers the next request over an idle connection, and says that it was the last', async () => {
    const { socket, heard } = await open();
    const drained = drain({});
    socket.write(REQUEST);
    const [, , last] = (await heard.end).split('HTTP/1.1');
    expect(last).toMatch(/200 OK[^]*connection: close[^]*quick/i);
    await drained;
  });

  it('says so in the answers to requests that are under way', async () => {
    const { heard } = await openSlow();
    const drained = drain({ lingerMs: 0 });
    running.waiting[0]?.end('at last');
    expect(await heard.end).toMatch(/connection: close[^]*at last/i);
    await drained;
  });

  it('ends what is idle for longer than it lingers, and takes no more connections', async () => {
    const { heard } = await open();
    const { port } = running.http.address() as AddressInfo;
    await drain({ lingerMs: 1 });
    expect(await heard.end).toMatch(/quick/);
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('cuts off what is under way at its limit, and not before', async () => {
    const [{ heard }, { heard: idle }] = [await openSlow(), await open()];
    const drained = drain({ lingerMs: 1, limitMs: 500 });
    // The sweep that ended this one left the other alone.
    await idle.end;
    expect(running.waiting[0]?.destroyed).toBe(false);
    await drained;
    expect(await heard.end).not.toContain('at last');
  });
});
