import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { LooseJson } from '../../support/loose-json.js';

/** The path of the filtered stream. */
export const STREAM = '/2/tweets/search/stream';

/** An open stream. */
export interface StreamReader {
  readonly response: IncomingMessage;
  /** Returns the next message. */
  next(): Promise<LooseJson>;
  /** Resolves to the rest of the messages when the server ends the stream. */
  rest(): Promise<LooseJson[]>;
  close(): void;
}

/** Connects to a stream of a listening server, by default the filtered stream. */
export async function readStream(
  url: string,
  token: string,
  query = '',
  more: Readonly<Record<string, string>> = {},
  path = STREAM,
): Promise<StreamReader> {
  const sent = request(url + path + query, { headers: { authorization: `Bearer ${token}`, ...more } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const isPacked = response.headers['content-encoding'] === 'gzip';
  const messages = messagesOf(isPacked ? response.pipe(createGunzip()) : response);
  return {
    response,
    next: async () => (await messages.next()).value as LooseJson,
    rest: async () => {
      const all: LooseJson[] = [];
      for await (const message of messages) all.push(message);
      return all;
    },
    close: () => sent.destroy(),
  };
}

async function* messagesOf(body: AsyncIterable<Buffer>): AsyncGenerator<LooseJson> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString();
    const lines = text.split('\r\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as LooseJson;
  }
}
