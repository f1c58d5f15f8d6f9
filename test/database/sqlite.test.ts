import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/database/engine.js';
import { AlreadyExists, StorageUnavailable, WrongDatabase } from '../../src/database/errors.js';
import { rawSql, sql } from '../../src/database/sql.js';
import { openSqlite, type SqliteOptions } from '../../src/database/sqlite/engine.js';
import { RESTART_PAGES } from '../../src/database/sqlite/checkpointer.js';
import { deferred } from '../../src/core/deferred.js';
import { counterValue, countNotes, increment, insertNote, NOTES, textOfNote } from './notes.js';

let folder: string;
let opened: Engine[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipit-'));
  opened = [];
});

afterEach(async () => {
  for (const engine of opened) await engine.close();
  await rm(folder, { recursive: true });
});

async function open(options: Partial<SqliteOptions> = {}): Promise<Engine> {
  const engine = await openSqlite({
    file: join(folder, 'pipit.db'),
    durability: 'full',
    migrations: NOTES,
    ...options,
  });
  opened.push(engine);
  return engine;
}

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

describe('the files', () => {
  test('are created, with their folder, for the owner only', async () => {
    const file = join(folder, 'new', 'data', 'pipit.db');
    await open({ file });
    for (const name of ['pipit.db', 'pipit.db-wal', 'pipit.db-shm']) {
      expect(await modeOf(join(folder, 'new', 'data', name))).toBe('600');
    }
    expect(await modeOf(join(folder, 'new', 'data'))).toBe('700');
  });

  test('are a single one after closing: the log is empty and removed', async () => {
    const engine = await open();
    await engine.tx('write', (tx) => insertNote(tx, 1n));
    await engine.close();
    expect(await readdir(folder)).toEqual(['pipit.db']);
    expect(await countNotes(await open())).toBe(1);
  });

  test('throw StorageUnavailable for a path that cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(open({ file: join(folder, 'file', 'pipit.db') })).rejects.toThrow(StorageUnavailable);
  });
});

describe('a file with other contents', () => {
  const refusedUntouched = async (file: string): Promise<void> => {
    const before = await readFile(file);
    await expect(open({ file })).rejects.toThrow(WrongDatabase);
    expect(await readFile(file)).toEqual(before);
  };

  test('another program’s database is refused and unchanged', async () => {
    const file = join(folder, 'other.db');
    const other = new Database(file);
    other.exec('CREATE TABLE schema_migrations (version TEXT); CREATE TABLE notes (id INTEGER)');
    other.close();
    await refusedUntouched(file);
  });

  test('a newer database is refused and unchanged', async () => {
    const newer = await open({
      migrations: [...NOTES, { version: 2, name: 'later', statements: () => [] }],
    });
    await newer.close();
    await refusedUntouched(join(folder, 'pipit.db'));
  });

  test('a file that is not a database is refused and unchanged', async () => {
    const file = join(folder, 'letter.txt');
    await writeFile(file, 'Dear Sir or Madam, '.repeat(500));
    await refusedUntouched(file);
  });
});

describe('durability', () => {
  test('commits and effects wait for the disk sync', async () => {
    const disk = manualDisk();
    const engine = await open({ sync: disk.sync });
    const events: string[] = [];
    const writing = engine
      .tx('write', async (tx) => {
        tx.afterCommit(() => events.push('effect'));
        await insertNote(tx, 1n);
      })
      .then(() => events.push('acknowledged'));
    const sync = await disk.next();
    expect(await countNotes(engine)).toBe(1);
    expect(events).toEqual([]);
    sync.resolve();
    await writing;
    expect(events).toEqual(['effect', 'acknowledged']);
    disk.release();
  });

  test('32 concurrent commits share a few disk syncs', async () => {
    let syncs = 0;
    const engine = await open({
      sync: async (wal) => {
        syncs += 1;
        await wal.datasync();
      },
    });
    syncs = 0;
    const ids = Array.from({ length: 32 }, (_, index) => BigInt(index));
    await Promise.all(ids.map((id) => engine.tx('write', (tx) => insertNote(tx, id))));
    expect(await countNotes(engine)).toBe(32);
    expect(syncs).toBeLessThanOrEqual(4);
  });

  test('a read-only transaction needs no sync', async () => {
    let syncs = 0;
    const engine = await open({
      sync: async () => {
        syncs += 1;
      },
    });
    syncs = 0;
    await engine.tx('read', (tx) => countNotes(tx));
    expect(syncs).toBe(0);
  });

  test('a failed sync refuses the transaction and all later ones until the database is reopened', async () => {
    let isBroken = false;
    const sync = async () => {
      if (isBroken) throw new Error('EIO');
    };
    const engine = await open({ sync });
    isBroken = true;
    const effects: string[] = [];
    const writing = engine.tx('write', async (tx) => {
      tx.afterCommit(() => effects.push('effect'));
      await insertNote(tx, 1n);
    });
    await expect(writing).rejects.toThrow(StorageUnavailable);
    expect(effects).toEqual([]);
    isBroken = false;
    await expect(engine.tx('write', (tx) => insertNote(tx, 2n))).rejects.toThrow(StorageUnavailable);
    await countNotes(engine);
    await engine.close();
    const again = await open({ sync });
    await again.tx('write', (tx) => insertNote(tx, 3n));
    expect(await textOfNote(again, 3n)).toBe('note');
  });

  test('relaxed commits wait for no sync', async () => {
    const engine = await open({
      durability: 'relaxed',
      sync: () => Promise.reject(new Error('asked for a sync')),
    });
    await engine.tx('write', (tx) => insertNote(tx, 1n));
    expect(await countNotes(engine)).toBe(1);
  });
});

test('a full disk rolls back the transaction; writing continues once there is space', async () => {
  const engine = await open();
  const setMaxPages = (pages: number) =>
    engine.tx('limit', (tx) => tx.get(rawSql(`PRAGMA max_page_count = ${pages}`)));
  await setMaxPages(8);
  const filling = engine.tx('fill', async (tx) => {
    for (let id = 0n; id < 100n; id += 1n) await insertNote(tx, id, 'x'.repeat(4_000));
  });
  await expect(filling).rejects.toThrow(StorageUnavailable);
  expect(await countNotes(engine)).toBe(0);
  await setMaxPages(1_000_000);
  await engine.tx('write', (tx) => insertNote(tx, 1n));
  expect(await countNotes(engine)).toBe(1);
});

test('a swallowed full-disk error does not let later statements escape the transaction', async () => {
  const engine = await open();
  const swallowing = engine.tx('swallow', async (tx) => {
    await tx.get(rawSql('PRAGMA max_page_count = 8'));
    await insertNote(tx, 1n, 'x'.repeat(100_000)).catch(() => undefined);
    await insertNote(tx, 2n).catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow(StorageUnavailable);
  expect(await countNotes(engine)).toBe(0);
});

test('without nesting detection a nested transaction fails after a timeout', async () => {
  const engine = await open({ detectsNesting: false, busyLimitMs: 20 });
  const nested = engine.tx('outer', () => engine.tx('inner', (tx) => countNotes(tx)));
  const keepAlive = setInterval(() => undefined, 1_000);
  await expect(nested).rejects.toThrow(StorageUnavailable);
  clearInterval(keepAlive);
  await engine.tx('write', (tx) => insertNote(tx, 1n));
});

test('the log stays bounded under constant writing', async () => {
  const engine = await open({ durability: 'relaxed' });
  const pageBytes = 4_096;
  const text = 'x'.repeat(8 * pageBytes);
  let written = 0;
  let id = 0n;
  while (written < 4 * RESTART_PAGES * pageBytes) {
    await engine.tx('write', async (tx) => {
      for (let note = 0; note < 16; note += 1) await insertNote(tx, (id += 1n), text);
      await tx.run(sql`DELETE FROM notes WHERE id <= ${id - 64n}`);
    });
    written += 16 * text.length;
  }
  const { size } = await stat(join(folder, 'pipit.db-wal'));
  expect(size).toBeLessThan(2 * RESTART_PAGES * pageBytes);
});

describe('a backup', () => {
  test('is a consistent copy taken during writes, readable by the owner only', async () => {
    const engine = await open();
    // Each transaction adds a note and counts it: an inconsistent copy would not add up.
    const add = (id: bigint) =>
      engine.tx('write', async (tx) => {
        await insertNote(tx, id, 'x'.repeat(2_000));
        await increment(tx, 'notes');
      });
    for (let id = 1n; id <= 200n; id += 1n) await add(id);
    let isCopied = false;
    const write = async (): Promise<void> => {
      for (let id = 1_000n; !isCopied; id += 1n) await add(id);
    };
    const writing = write();
    const file = join(folder, 'backup.db');
    await engine.backup(file);
    isCopied = true;
    await writing;
    expect(await modeOf(file)).toBe('600');
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    const copy = await open({ file });
    const notes = await countNotes(copy);
    expect(notes).toBe(await counterValue(copy, 'notes'));
    expect(notes).toBeGreaterThanOrEqual(200);
    // Writers continued during the copy.
    expect(await countNotes(engine)).toBeGreaterThan(200);
    expect(await copy.get(sql`PRAGMA integrity_check`)).toEqual({ integrity_check: 'ok' });
  });

  test('of a database in memory is a file that can be opened', async () => {
    const engine = await open({ file: ':memory:', durability: 'relaxed' });
    await engine.tx('write', (tx) => insertNote(tx, 1n));
    const file = join(folder, 'backup.db');
    await engine.backup(file);
    expect(await countNotes(await open({ file }))).toBe(1);
  });

  test('overwrites nothing', async () => {
    const engine = await open();
    const file = join(folder, 'precious');
    await writeFile(file, 'precious');
    await expect(engine.backup(file)).rejects.toThrow(AlreadyExists);
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('into a missing folder throws StorageUnavailable', async () => {
    const engine = await open();
    await expect(engine.backup(join(folder, 'no', 'backup.db'))).rejects.toThrow(StorageUnavailable);
  });
});

/** A disk whose syncs the test completes; those during opening succeed at once. */
function manualDisk() {
  let isOpen = false;
  let waiting = deferred<{ resolve(): void }>();
  let isReleased = false;
  return {
    sync: async (): Promise<void> => {
      // The first sync is that of the migrations.
      if (!isOpen || isReleased) {
        isOpen = true;
        return;
      }
      const done = deferred();
      waiting.resolve({ resolve: () => done.resolve() });
      await done.promise;
    },
    next: async () => {
      const sync = await waiting.promise;
      waiting = deferred();
      return sync;
    },
    release: () => {
      isReleased = true;
    },
  };
}
