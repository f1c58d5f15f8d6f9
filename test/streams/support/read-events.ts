import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { LooseJson } from '../../support/loose-json.js';

/** An open stream of server-sent events. */
export interface EventReader {
  readonly response: IncomingMessage;
  /** Resolves to the next event of a type whose data a condition accepts. */
  until(type: string, accepts?: (data: LooseJson) => boolean): Promise<LooseJson>;
  /** Resolves when the server ends the stream. */
  ended(): Promise<void>;
  close(): void;
}

/** Connects to a stream of events of a listening server. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const sent = request(url, { headers });
  sent.on('error', () => undefined);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const events = eventsOf(response);
  return {
    response,
    until: async (type, accepts = () => true) => {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) throw new Error(`the stream ended before an event ${type}`);
        if (value.type === type && accepts(value.data)) return value.data;
      }
    },
    ended: async () => {
      // A client that reads nothing does not see the end.
      for (let at = await events.next(); at.done !== true;) at = await events.next();
    },
    close: () => sent.destroy(),
  };
}

async function* eventsOf(body: AsyncIterable<Buffer>): AsyncGenerator<{ type: string; data: LooseJson }> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk.toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        const type = /^event: (.*)$/m.exec(block)?.[1] ?? 'message';
        if (data !== undefined) yield { type, data: JSON.parse(data) as LooseJson };
      }
    }
  } catch {
    // The server cut the connection.
  }
}
