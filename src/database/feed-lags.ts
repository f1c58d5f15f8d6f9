import type { Clock } from '../core/clock.js';
import { LabelledHistogram } from '../core/histogram.js';
import { gauge, sample, type Metrics } from '../core/metrics.js';
import type { FeedEntry, OnEntries } from './feed.js';

/** In seconds, from a commit of this process to a subscriber that was away. */
const LAG_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];

/** What a subscriber works on. */
interface Follower {
  readonly name: string;
  working: readonly FeedEntry[];
}

/** Measures how far the subscribers of the feed in this process are behind. */
export class FeedLags {
  readonly #followers = new Set<Follower>();
  readonly #delays = new LabelledHistogram(LAG_BOUNDS);

  constructor(private readonly clock: Clock) {}

  /** Returns `onEntries`, measured, and a function that ends measuring. */
  follow(name: string, onEntries: OnEntries): { readonly onEntries: OnEntries; end(): void } {
    const follower: Follower = { name, working: [] };
    this.#followers.add(follower);
    return {
      onEntries: async (entries) => {
        follower.working = entries;
        this.#delays.observe(name, this.#age(entries));
        try {
          await onEntries(entries);
        } finally {
          follower.working = [];
        }
      },
      end: () => void this.#followers.delete(follower),
    };
  }

  collect(): Metrics {
    const followers = [...this.#followers];
    const names = [...new Set(followers.map(({ name }) => name))];
    const each = (value: (own: readonly Follower[]) => number) =>
      names.map((subscriber) =>
        sample({ subscriber }, value(followers.filter(({ name }) => name === subscriber))),
      );
    return [
      gauge(
        'pipit_feed_subscriptions',
        'Readers of the feed of changes.',
        each((own) => own.length),
      ),
      gauge(
        'pipit_feed_lag_seconds',
        'Age of the oldest change that a reader works on; 0 while it waits for the next one.',
        each((own) => Math.max(...own.map(({ working }) => this.#age(working)))),
      ),
      gauge(
        'pipit_feed_lag_commits',
        'Commits that a reader works on; it reads 500 at most at once.',
        each((own) => Math.max(...own.map(({ working }) => working.length))),
      ),
      this.#delays.family(
        'pipit_feed_delivery_seconds',
        'Time from a commit to its arrival at a reader of the feed.',
        'subscriber',
      ),
    ];
  }

  /** Returns seconds. */
  #age([first]: readonly FeedEntry[]): number {
    return first === undefined ? 0 : Math.max(0, this.clock() - first.atMs) / 1000;
  }
}
