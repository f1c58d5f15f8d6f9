import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PipitError } from '../core/errors.js';
import { answerClientError } from './broken-requests.js';
import { createBodyRoom } from './body-room.js';
import { openBody, readBody } from './read-body.js';

/** Uses real connections and short real timeouts, to test the timers of `node:http` together with ours. */

const REQUEST_TIMEOUT_MS = 150;
const STEP_MS = 20;

type Read = (request: IncomingMessage) => Promise<number>;

/** Starts a server that answers with the number of bytes read, or the reason why it stopped reading. */
async function serve(read: Read): Promise<number> {
  const timeouts = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS };
  const server: Server = createServer(
    { ...timeouts, connectionsCheckingInterval: 10 },
    (request, response) => {
      const failed = (error: unknown): string => (error instanceof PipitError ? error.failure.code : 'cut');
      void read(request)
        .then(String, failed)
        .then((text) => response.end(text));
    },
  );
  const deps = { newRequestId: () => 'x', clock: Date.now };
  server.on('clientError', (error, socket) => answerClientError(deps, error, socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function streamed(stallMs: number): Read {
  return async (request) => {
    let bytes = 0;
    for await (const chunk of openBody(request, 1_000, stallMs)) bytes += chunk.length;
    return bytes;
  };
}
const collected: Read = async (request) => (await readBody(request, 1_000, createBodyRoom())).length;

async function begin(port: number, framing: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`PUT / HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n`);
  return socket;
}

/** Sends byte by byte, each in its own chunk if `piece` is one. Stops early if the server has closed. */
async function sendSlowly(socket: Socket, count: number, piece = 'x'): Promise<void> {
  for (let sent = 0; sent < count && !socket.destroyed && !socket.readableEnded; sent += 1) {
    socket.write(piece);
    await pause(STEP_MS);
  }
}

/** Returns everything that the server sends until it closes or has sent `lastText`. Keeps the connection open. */
function answer(socket: Socket, lastText: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith(lastText)) resolve(text);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => undefined);
  });
}

test('a streamed body that keeps arriving may exceed the request timeout', async () => {
  const socket = await begin(await serve(streamed(5_000)), 'content-length: 20');
  const [text] = await Promise.all([answer(socket, '20'), sendSlowly(socket, 20)]);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*20$/);
});

test('any other slow body is aborted with 408', async () => {
  const socket = await begin(await serve(collected), 'content-length: 20');
  const [text] = await Promise.all([answer(socket, 'never'), sendSlowly(socket, 20)]);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
});

test('a stalled streamed body is aborted', async () => {
  const socket = await begin(await serve(streamed(60)), 'content-length: 20');
  socket.write('abc');
  expect(await answer(socket, 'request-timeout')).toMatch(/request-timeout$/);
  // After the response, a client that neither continues nor disconnects is disconnected.
  if (!socket.destroyed) await once(socket, 'close');
});

test('the time in which the handler reads nothing does not count as a stall', async () => {
  const port = await serve(async (request) => {
    let bytes = 0;
    for await (const chunk of openBody(request, 1_000, 40)) {
      bytes += chunk.length;
      await pause(80);
    }
    return bytes;
  });
  const socket = await begin(port, 'content-length: 3');
  socket.write('abc');
  expect(await answer(socket, '3')).toMatch(/3$/);
});

test('after a refusal the rest of a body is read for a limited time only', async () => {
  const socket = await begin(await serve(streamed(500)), 'transfer-encoding: chunked');
  const piece = '1\r\nx\r\n';
  // Wait until the request timeout has passed, so that it does not interfere.
  await sendSlowly(socket, (2 * REQUEST_TIMEOUT_MS) / STEP_MS, piece);
  socket.write(`3e9\r\n${'x'.repeat(0x3e9)}\r\n`);
  expect(await answer(socket, 'payload-too-large')).toMatch(/payload-too-large$/);
  let isCut = false;
  socket.on('close', () => (isCut = true));
  await sendSlowly(socket, 10_000 / STEP_MS, piece);
  expect(isCut).toBe(true);
});

test('a stalled body is dropped when others need the memory, and an arriving one is read', async () => {
  const room = createBodyRoom(2_000);
  const port = await serve(async (request) => (await readBody(request, 1_000, room)).length);
  const stalled = await begin(port, 'content-length: 1000');
  stalled.write('x'.repeat(900));
  while (room.heldBytes() === 0) await pause(1);
  const other = await begin(port, 'content-length: 999');
  other.write('x'.repeat(999));
  expect(await answer(other, '999')).toMatch(/999$/);
  stalled.write('x'.repeat(100));
  expect(await answer(stalled, 'unavailable')).toMatch(/unavailable$/);
  expect(room.heldBytes()).toBe(0);
});
