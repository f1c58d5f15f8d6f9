import { connect } from 'node:net';
import type { FuzzRequest } from './requests.js';

/** The status of a response and its delay. */
export interface Outcome {
  /**
   * The status line’s code; `cut off` without one, `no answer` after the timeout, `left` when the client
   * disconnected.
   */
  readonly status: number | 'cut off' | 'no answer' | 'left';
  readonly elapsedMs: number;
}

const TIMEOUT_MS = 30_000;

/** Sends a request over a new connection. Never rejects. */
export function sendBytes(port: number, request: FuzzRequest): Promise<Outcome> {
  const startedMs = performance.now();
  const bytes = bytesOf(request);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (status: Outcome['status']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status, elapsedMs: performance.now() - startedMs });
    };
    const timer = setTimeout(() => finish('no answer'), TIMEOUT_MS);
    const end = (): void => finish(statusOf(received) ?? 'cut off');
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(0, 100_000);
      if (request.isEndless === true && received.includes('\r\n\r\n') && statusOf(received) !== undefined)
        end();
    });
    socket.on('error', end);
    socket.on('close', end);
    if (!request.leaves) {
      socket.write(bytes);
      return;
    }
    socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
      socket.resetAndDestroy();
      finish('left');
    });
  });
}

function bytesOf({ method, target, headers, body }: FuzzRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body.length > 0 || method !== 'GET') lines.push(`content-length: ${body.length}`);
  return Buffer.concat([Buffer.from([...lines, 'connection: close', '', ''].join('\r\n'), 'latin1'), body]);
}

/** Returns the status of the last response, after any 100. */
function statusOf(received: string): number | undefined {
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  return statuses.find((status) => status >= 200);
}
