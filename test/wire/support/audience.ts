import { setTimeout as pause } from 'node:timers/promises';
import { STREAM_CLIENTS, type StreamClient, type StreamTarget } from './stream-clients.js';

/** All clients of the filtered stream that are installed, side by side. */
export interface Audience {
  /** Returns a client; undefined if it is not installed. */
  named(name: string): StreamClient | undefined;
  /** Makes posts until each client, except some, has received one of them: it is connected. */
  untilHeard(word: string, except?: readonly string[]): Promise<void>;
  close(): void;
}

const LIMIT_MS = 20_000;
const BETWEEN_POSTS_MS = 50;

/** Opens a stream with each client. `post` makes a post that the stream carries. */
export function gatherAudience(target: StreamTarget, post: (text: string) => Promise<void>): Audience {
  const here = STREAM_CLIENTS.filter(({ isHere }) => isHere);
  const clients = new Map(here.map(({ name, open }) => [name, open(target)] as const));
  return {
    named: (name) => clients.get(name),
    untilHeard: async (word, except = []) => {
      const deaf = (): string[] =>
        [...clients].flatMap(([name, { texts }]) =>
          except.includes(name) || texts.some((text) => text.startsWith(`${word} try`)) ? [] : [name],
        );
      const endMs = performance.now() + LIMIT_MS;
      for (let n = 0; deaf().length > 0; n += 1) {
        if (performance.now() > endMs) throw new Error(`nothing reaches ${deaf().join()}`);
        await post(`${word} try no. ${n}, heron`);
        await pause(BETWEEN_POSTS_MS);
      }
    },
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
}
