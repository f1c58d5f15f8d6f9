import { checkPosted, checkReceived, type Verdict } from './assertions.js';
import type { JournalFilter } from './journal.js';
import type { Pipit } from './start-pipit.js';
import type { User } from './users.js';

/** What vitest and jest pass to a matcher as `this`. */
interface MatcherState {
  readonly isNot?: boolean;
}

/** The matchers as assertions, to declare them to vitest or jest (docs/testing.md). */
export interface PipitMatchers<R = unknown> {
  /** The server has received matching requests: exactly `times`, or at least one. */
  toHaveReceived(filter: JournalFilter, times?: number): Promise<R>;
  /** The user has a post with this text, or one that the pattern matches. */
  toHavePosted(text: string | RegExp): Promise<R>;
}

/** Matchers for `expect.extend` of vitest and jest. */
export const pipitMatchers = {
  toHaveReceived(
    this: MatcherState,
    pipit: Pick<Pipit, 'journal'>,
    filter: JournalFilter,
    times?: number,
  ): Promise<Verdict> {
    return checkReceived(pipit, filter, times, !this.isNot);
  },
  toHavePosted(this: MatcherState, user: User, text: string | RegExp): Promise<Verdict> {
    return checkPosted(user, text, !this.isNot);
  },
};
