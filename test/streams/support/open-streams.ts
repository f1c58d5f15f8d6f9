import { expect } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.js';
import type { LooseJson } from '../../support/loose-json.js';
import { readStream, type StreamReader } from './read-stream.js';

/** A listening server whose streams are closed with it. */
export interface StreamServer extends AsyncDisposable {
  readonly app: TestApp;
  /** Opens a stream; fails the test if it is refused. */
  open(path: string): Promise<StreamReader>;
  /** Posts a text and returns the id. */
  post(text: string, more?: object, username?: string): Promise<string>;
  /** Returns what a stream carries for all that has happened, by recovery. */
  recover(path: string): Promise<LooseJson[]>;
}

const MINUTE_MS = 60_000;

export async function startStreamServer(options: TestAppOptions = {}): Promise<StreamServer> {
  let nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const startMs = nowMs;
  const app = await startTestApp({ clock: () => nowMs, ...options });
  const url = await app.listen();
  const opened: StreamReader[] = [];
  const open = async (path: string): Promise<StreamReader> => {
    const reader = await readStream(url, app.bearer, '', {}, path);
    opened.push(reader);
    if (reader.response.statusCode !== 200) expect.fail(JSON.stringify(await reader.rest()));
    return reader;
  };
  const tokens = new Map<string, string>();
  return {
    app,
    open,
    post: async (text, more = {}, username = 'alice') => {
      const token = tokens.get(username) ?? (await app.as(username));
      tokens.set(username, token);
      const { status, body } = await app.post('/2/tweets', token, { text, ...more });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.data.id as string;
    },
    recover: async (path) => {
      nowMs += 1_000;
      const span = { start_time: startMs - MINUTE_MS, end_time: nowMs };
      const query = Object.entries(span).map(([name, timeMs]) => `${name}=${new Date(timeMs).toISOString()}`);
      const reader = await open(`${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`);
      return reader.rest();
    },
    [Symbol.asyncDispose]: async () => {
      for (const reader of opened) reader.close();
      await app.close();
    },
  };
}
