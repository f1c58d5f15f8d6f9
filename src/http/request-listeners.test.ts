import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { lingerOnClose, whileOpen } from './request-listeners.js';

/** Starts a server, sends half a body over a connection that is not to be kept, and waits for the response. */
async function sendHalf(handle: RequestListener, lingerMs?: number) {
  const answer = whileOpen((request, response) => {
    response.shouldKeepAlive = false;
    handle(request, response);
  });
  const server = createServer(answer);
  lingerOnClose(server, lingerMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [connection] = (await once(server, 'connection')) as [Socket];
  const received = { text: '', failure: undefined as unknown };
  socket.on('data', (chunk) => (received.text += String(chunk)));
  socket.on('error', (error) => (received.failure = error));
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * HALF.length}\r\n\r\n`);
  socket.write(HALF);
  await once(socket, 'end');
  return { socket, connection, received };
}

const HALF = 'x'.repeat(400_000);

const refuse: RequestListener = (_request, response) => void response.writeHead(401).end('refused');

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close');
}

test('a client that sends the rest of its body after the response is not reset', async () => {
  const { socket, received } = await sendHalf(refuse);
  expect(received.text).toMatch(/^HTTP\/1\.1 401 [^]*refused/);
  socket.end(HALF);
  await closed(socket);
  expect(received.failure).toBeUndefined();
});

test('a large response is sent completely', async () => {
  const large = 'y'.repeat(5_000_000);
  const { socket, received } = await sendHalf((_request, response) => void response.end(large));
  expect(received.text.endsWith(large)).toBe(true);
  socket.end(HALF);
  await closed(socket);
  expect(received.failure).toBeUndefined();
});

test('a client that neither sends the rest nor closes is disconnected', async () => {
  const { connection } = await sendHalf(refuse, 20);
  await closed(connection);
});

test('the connection closes as soon as the request was read completely', async () => {
  const { socket, connection } = await sendHalf(refuse);
  expect(connection.destroyed).toBe(false);
  socket.write(HALF);
  await closed(connection);
});

test('a request behind the one whose response closes the connection is not run', async () => {
  const urls: (string | undefined)[] = [];
  const { socket, connection } = await sendHalf((request, response) => {
    urls.push(request.url);
    refuse(request, response);
  });
  const second = 'POST /second HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody';
  socket.write(HALF + second);
  await closed(connection);
  expect(urls).toEqual(['/']);
});
