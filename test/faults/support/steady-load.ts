import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** The pause of each client between two requests: the servers of a test share two cores. */
const PAUSE_MS = 60;
const UPLOAD_PAUSE_MS = 400;
const READERS = 2;
const AUTHORS = 2;

/** An acknowledged upload: its link and the number of its bytes. */
interface Uploaded {
  readonly id: string;
}

/** Clients that read, post and upload until they are stopped. */
export interface SteadyLoad {
  /** The ids of the acknowledged posts, with their texts. */
  readonly posts: ReadonlyMap<string, string>;
  readonly uploads: readonly Uploaded[];
  /** The requests that failed: their status, or the error of the connection. */
  readonly failures: readonly string[];
  /** The time of the last successful response, in milliseconds of `performance.now()`. */
  lastSuccessMs(): number;
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly userId: string;
  readonly picture: Buffer;
}

/** Starts the clients. A failed request is noted and not repeated. */
export function startLoad({ url, token, userId, picture }: LoadOptions): SteadyLoad {
  const posts = new Map<string, string>();
  const uploads: Uploaded[] = [];
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let isStopped = false;
  let lastSuccessMs = 0;

  const send = async (method: string, path: string, body?: string | Buffer, type = 'application/json') => {
    try {
      const answer = await exchange(`${url}${path}`, { method, agent, token, body, type });
      if (answer.status >= 200 && answer.status < 300) {
        lastSuccessMs = performance.now();
        return JSON.parse(answer.text) as { readonly data: { readonly id: string } };
      }
      failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    } catch (error) {
      failures.push(`${method} ${path}: ${String(error)}`);
    }
    return undefined;
  };
  const repeat = async (work: (count: number) => Promise<void>, pauseMs = PAUSE_MS): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      await work(count);
      await pause(pauseMs);
    }
  };
  const clients = [
    ...Array.from({ length: READERS }, () =>
      repeat(async () => void (await send('GET', `/2/users/${userId}/tweets?max_results=5`))),
    ),
    ...Array.from({ length: AUTHORS }, (_, author) =>
      repeat(async (count) => {
        const text = `author ${author}, post ${count}`;
        const answer = await send('POST', '/2/tweets', JSON.stringify({ text }));
        if (answer) posts.set(answer.data.id, text);
      }),
    ),
    repeat(async () => {
      const { body, type } = formOf(picture);
      const answer = await send('POST', '/2/media/upload', body, type);
      if (answer) uploads.push({ id: answer.data.id });
    }, UPLOAD_PAUSE_MS),
  ];
  return {
    posts,
    uploads,
    failures,
    lastSuccessMs: () => lastSuccessMs,
    stop: async () => {
      isStopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

interface Sent {
  readonly method: string;
  readonly agent: Agent;
  readonly token: string;
  readonly body: string | Buffer | undefined;
  readonly type: string;
}

function exchange(url: string, { method, agent, token, body, type }: Sent) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, text: String(bytes) }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function formOf(picture: Buffer): { readonly body: Buffer; readonly type: string } {
  const boundary = 'pipit-load';
  const part = (head: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="media_category"')}\r\ntweet_image\r\n`),
    Buffer.from(`${part('name="media"; filename="a.png"')}content-type: image/png\r\n\r\n`),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
