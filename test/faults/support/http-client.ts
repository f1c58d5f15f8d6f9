import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends requests over persistent connections. */
export interface HttpClient {
  /** Rejects when the connection is lost before the response is complete. */
  send(method: string, path: string, token: string, body?: object): Promise<Reply>;
  close(): void;
}

export function createHttpClient(port: number, connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (method, path, token, body) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : JSON.stringify(body);
        const headers = {
          authorization: `Bearer ${token}`,
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        };
        const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
          text(response).then(
            (answer) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer) }),
            reject,
          );
        });
        sent.on('error', reject);
        sent.end(payload);
      }),
    close: () => agent.destroy(),
  };
}
