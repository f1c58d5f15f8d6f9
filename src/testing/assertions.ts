import { AssertionError } from 'node:assert';
import { describeEntries, type JournalFilter } from './journal.js';
import type { Pipit } from './start-pipit.js';
import type { User } from './users.js';

/** The result of a check, with a message that explains the opposite of what was wanted. */
export interface Verdict {
  readonly pass: boolean;
  message(): string;
}

/** How long requests that are on their way may take to arrive. */
const ARRIVAL_MS = 1_000;

/** The part of a server that checks read. */
type Observed = Pick<Pipit, 'journal'>;

/**
 * Checks that the server has received matching requests: exactly `times`, or at least one. Waits up to a second for
 * the last one, but not to find out that there is none.
 */
export async function checkReceived(
  { journal }: Observed,
  filter: JournalFilter,
  times: number | undefined,
  isExpected = true,
): Promise<Verdict> {
  if (isExpected && times !== 0) {
    // Whether the wait ends in time does not matter: the count below decides.
    await journal.waitFor(filter, { count: times ?? 1, timeoutMs: ARRIVAL_MS }).catch(() => undefined);
  }
  const count = await journal.count(filter);
  const received = describeEntries(await journal.find());
  const wanted = times === undefined ? 'at least one request' : `exactly ${times} requests`;
  return {
    pass: times === undefined ? count > 0 : count === times,
    message: () =>
      `${isExpected ? 'expected' : 'did not expect'} ${wanted} like ${JSON.stringify(filter)}; there were ${count}. ${received}`,
  };
}

/** Checks that a user has a post with this text, or one that a pattern matches. */
export async function checkPosted(user: User, text: string | RegExp, isExpected = true): Promise<Verdict> {
  const texts = (await user.posts()).map((post) => post.text);
  const pass = texts.some((other) => (typeof text === 'string' ? other === text : text.test(other)));
  const shown = texts.length === 0 ? ' none' : texts.map((each) => `\n  ${JSON.stringify(each)}`).join('');
  return {
    pass,
    message: () =>
      `${isExpected ? 'expected' : 'did not expect'} a post of @${user.username} like ${String(text)}; the posts are:${shown}`,
  };
}

/** Throws AssertionError unless the server has received matching requests: exactly `times`, or at least one. */
export async function assertReceived(pipit: Observed, filter: JournalFilter, times?: number): Promise<void> {
  demand(await checkReceived(pipit, filter, times), assertReceived);
}

/** Throws AssertionError unless the user has a post with this text, or one that a pattern matches. */
export async function assertPosted(user: User, text: string | RegExp): Promise<void> {
  demand(await checkPosted(user, text), assertPosted);
}

function demand({ pass, message }: Verdict, stackStartFn: (...args: never[]) => unknown): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn });
}
