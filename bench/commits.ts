/**
 * The yardstick of durable writes, in its own process: better-sqlite3 with `synchronous=FULL`, one insert and one
 * fsync per commit, in a loop. Argument: the database file. Runs for each duration in seconds that its parent sends.
 */
import Database from 'better-sqlite3';

const db = new Database(process.argv[2] ?? '');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(
  'CREATE TABLE IF NOT EXISTS posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, text TEXT NOT NULL)',
);
const insert = db.prepare('INSERT INTO posts (author_id, text) VALUES (?, ?)');

process.on('message', (seconds: number) => {
  const startMs = performance.now();
  let commits = 0;
  while (performance.now() - startMs < seconds * 1000) {
    insert.run(5001, `The tide comes in, the lamps go on, post no. ${commits}`);
    commits += 1;
  }
  process.send?.(commits / ((performance.now() - startMs) / 1000));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
