/**
 * Commits notes forever, eight at a time, and prints each id once it is acknowledged, until it is killed. Arguments:
 * the database file, the first id.
 */
import { openSqlite } from '../../src/database/sqlite/engine.js';
import { insertNote, NOTES } from '../database/notes.js';

const [, , file = '', first = '1'] = process.argv;
const engine = await openSqlite({ file, durability: 'full', migrations: NOTES });
let nextId = BigInt(first);

async function commitForever(): Promise<void> {
  for (;;) {
    const id = nextId;
    nextId += 1n;
    await engine.tx('note', (tx) => insertNote(tx, id, `note ${id} `.repeat(50)));
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, commitForever));
