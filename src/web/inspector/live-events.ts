import { systemTimers, type Timers } from '../../core/timers.js';
import { Answer } from '../../http/answer.js';
import { EVENT_STREAM_HEADERS, EventStream } from '../../http/event-stream.js';
import type { JournalEntry } from '../../journal/entry.js';
import type { Journal } from '../../journal/journal.js';

/** More browsers than one inspector needs; the oldest is disconnected and connects again. */
const MAX_OPEN = 20;

/** The browsers that follow a journal by server-sent events. */
export class LiveEvents {
  readonly #open = new Set<EventStream>();

  constructor(private readonly timers: Timers = systemTimers) {}

  /**
   * Returns a stream with a message, without content, for each matching entry that is added or completed. A browser that
   * does not read needs no further messages: one is enough to load the list again.
   */
  follow(journal: Pick<Journal, 'subscribe'>, matches: (entry: JournalEntry) => boolean): Answer {
    const body = new EventStream(this.timers);
    const end = journal.subscribe({
      onEntry: (entry) => {
        if (matches(entry)) body.send('changed');
      },
      onClear: () => void body.send('changed'),
    });
    body.once('close', () => {
      this.#open.delete(body);
      end();
    });
    this.#add(body);
    return new Answer(200, body, EVENT_STREAM_HEADERS);
  }

  /** Ends all streams; browsers connect again after a second. */
  end(): void {
    for (const body of this.#open) body.end();
  }

  #add(body: EventStream): void {
    this.#open.add(body);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open;
    oldest?.end();
  }
}
