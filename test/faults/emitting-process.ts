/**
 * Uses the feed forever, until it is killed. Arguments: the database, what to do, and the first number.
 *
 * - `write`: commits an event for each number, eight at a time, and prints it once it is acknowledged.
 * - `read`: prints the position and numbers of each entry after the position of the third argument.
 */
import type { PostId, UserId } from '../../src/core/ids.js';
import { openEngine } from '../../src/database/open-engine.js';
import { sql } from '../../src/database/sql.js';

const [, , database = '', work = '', first = '0'] = process.argv;
const engine = await openEngine(database, { durability: 'relaxed' });
let next = BigInt(first);

async function commitForever(): Promise<void> {
  for (;;) {
    const number = next;
    next += 1n;
    const body = sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${number}, ${1})`;
    await engine.tx(
      'emit',
      async (tx) => {
        await tx.run(body);
        tx.emit({ kind: 'post-made', postId: number as PostId, authorId: 1n as UserId });
      },
      'read-committed',
    );
    process.stdout.write(`${number}\n`);
  }
}

// The timers of a subscription do not keep a process alive.
setInterval(() => undefined, 60_000);
if (work === 'write') await Promise.all(Array.from({ length: 8 }, commitForever));
else
  await engine.feed.subscribe({ after: next, signal: new AbortController().signal }, (entries) => {
    for (const { position, events } of entries) {
      const numbers = events.map((event) => (event.kind === 'post-made' ? event.postId : -1n));
      process.stdout.write(`${position} ${numbers.join(' ')}\n`);
    }
  });
