import { PassThrough } from 'node:stream';
import { systemTimers, type Timers } from '../../core/timers.js';
import { Answer } from '../../http/answer.js';
import type { JournalEntry } from '../../journal/entry.js';
import type { Journal } from '../../journal/journal.js';

/** More browsers than one inspector needs; the oldest is disconnected and connects again. */
const MAX_OPEN = 20;
const KEEP_ALIVE_MS = 15_000;

/** The browsers that follow a journal by server-sent events. */
export class LiveEvents {
  readonly #open = new Set<PassThrough>();

  constructor(private readonly timers: Timers = systemTimers) {}

  /** Returns a stream with a message, without content, for each matching entry that is added or completed. */
  follow(journal: Pick<Journal, 'subscribe'>, matches: (entry: JournalEntry) => boolean): Answer {
    const body = new PassThrough();
    const send = (text: string): void => {
      // A browser that does not read needs no further messages: one is enough to load the list again.
      if (!body.writableNeedDrain && !body.writableEnded) body.write(text);
    };
    const ends = [
      journal.subscribe({
        onEntry: (entry) => {
          if (matches(entry)) send(MESSAGE);
        },
        onClear: () => send(MESSAGE),
      }),
      this.timers.every(KEEP_ALIVE_MS, () => send(':\n\n')),
    ];
    body.once('close', () => {
      this.#open.delete(body);
      for (const end of ends) end();
    });
    this.#add(body);
    send('retry: 1000\n\n');
    return new Answer(200, body, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  }

  /** Ends all streams; browsers connect again after a second. */
  end(): void {
    for (const body of this.#open) body.end();
  }

  #add(body: PassThrough): void {
    this.#open.add(body);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open;
    oldest?.end();
  }
}

const MESSAGE = 'data: changed\n\n';
