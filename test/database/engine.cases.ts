import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MAX_ID } from '../../src/core/ids.js';
import type { Engine, Tx } from '../../src/database/engine.js';
import { AlreadyExists, StorageUnavailable } from '../../src/database/errors.js';
import { asId, asText, list, rawSql, sql, type Sql } from '../../src/database/sql.js';
import { deferred } from '../../src/core/deferred.js';
import type { TestDatabase, TestEngine } from './engines.js';
import { counterValue, countNotes, increment, insertNote, NOTES, textOfNote } from './notes.js';
import { steadyChanges } from '../support/steady-changes.js';

/** The contract of every engine (src/database/engine.ts). */
export function engineCases(kind: TestEngine): void {
  let database: TestDatabase;
  let engine: Engine;

  const open = () => database.open({ migrations: NOTES });

  beforeAll(async () => {
    database = await kind.create();
    engine = await open();
  });

  afterEach(() =>
    engine.tx('clear', async (tx) => {
      await tx.run(sql`DELETE FROM notes`);
      await tx.run(sql`DELETE FROM counters`);
    }),
  );

  afterAll(() => database.remove());

  const insertNotes = (...ids: bigint[]): Promise<void> =>
    engine.tx('notes', async (tx) => {
      for (const id of ids) await insertNote(tx, id, `note ${id}`);
    });

  describe('the change counter of a table', () => {
    const changed = async (work: () => Promise<unknown>): Promise<boolean> => {
      const changes = engine.changesIn(['notes']);
      const before = changes();
      await work().catch(() => undefined);
      await engine.catchUp();
      return changes() !== before;
    };

    test('increases when rows are updated, deleted or overwritten', async () => {
      await insertNotes(1n, 2n);
      const run = (query: Sql) => () => engine.tx('change', (tx) => tx.run(query));
      expect(await changed(run(sql`UPDATE notes SET text = 'x' WHERE id = 1`))).toBe(true);
      expect(await changed(run(sql`DELETE FROM notes WHERE id = 2`))).toBe(true);
      const overwriting = sql`INSERT INTO notes (id, text) VALUES (1, 'y')
        ON CONFLICT (id) DO UPDATE SET text = excluded.text`;
      expect(await changed(run(overwriting))).toBe(true);
    });

    test('is unchanged when rows are inserted or read, and when other tables change', async () => {
      await steadyChanges(engine);
      expect(await changed(() => insertNotes(1n))).toBe(false);
      expect(await changed(() => textOfNote(engine, 1n))).toBe(false);
      expect(await changed(() => engine.tx('count', (tx) => increment(tx, 'visits')))).toBe(false);
    });

    test('is unchanged after a rollback', async () => {
      await steadyChanges(engine);
      await insertNotes(1n);
      const rolledBack = () =>
        engine.tx('rolled back', async (tx) => {
          await tx.run(sql`DELETE FROM notes`);
          throw new Error('no');
        });
      expect(await changed(rolledBack)).toBe(false);
    });
  });

  describe('transactions', () => {
    test('the writes of a transaction persist, and its result is returned', async () => {
      const result = await engine.tx('write', async (tx) => insertNote(tx, 1n, 'hello'));
      expect(result).toBe(1);
      expect(await textOfNote(engine, 1n)).toBe('hello');
    });

    test('a body that throws is rolled back and its error rethrown', async () => {
      const failure = new Error('no');
      const failing = engine.tx('fail', async (tx) => {
        await insertNote(tx, 1n);
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await countNotes(engine)).toBe(0);
    });

    test('a transaction sees its own writes; others do not before the commit', async () => {
      const inside = deferred();
      const goOn = deferred();
      const writing = engine.tx('write', async (tx) => {
        await insertNote(tx, 1n);
        expect(await countNotes(tx)).toBe(1);
        inside.resolve();
        await goOn.promise;
        throw new Error('rolled back');
      });
      await inside.promise;
      const outside = countNotes(engine);
      goOn.resolve();
      await expect(writing).rejects.toThrow('rolled back');
      expect(await outside).toBe(0);
    });

    test('fifty concurrent read-modify-write transactions lose no increment', async () => {
      const increments = Array.from({ length: 50 }, () => engine.tx('count', (tx) => increment(tx, 'n')));
      await Promise.all(increments);
      expect(await counterValue(engine, 'n')).toBe(50);
    });

    test.runIf(kind.isSerial)('transactions run in order of request', async () => {
      const order: number[] = [];
      await Promise.all(
        [1, 2, 3, 4].map((n) =>
          engine.tx('order', async (tx) => {
            await insertNote(tx, BigInt(n));
            order.push(n);
          }),
        ),
      );
      expect(order).toEqual([1, 2, 3, 4]);
    });

    test('a read-only transaction commits', async () => {
      expect(await engine.tx('read', (tx) => countNotes(tx))).toBe(0);
    });
  });

  describe('effects after the commit', () => {
    test('run once, in order, when the writes are visible to others', async () => {
      const seen: string[] = [];
      await engine.tx('write', async (tx) => {
        tx.afterCommit(() => seen.push('first'));
        await insertNote(tx, 1n);
        tx.afterCommit(() => seen.push('second'));
        expect(seen).toEqual([]);
      });
      expect(seen).toEqual(['first', 'second']);
    });

    test('do not run when the body throws', async () => {
      const seen: string[] = [];
      const failing = engine.tx('fail', async (tx) => {
        tx.afterCommit(() => seen.push('effect'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(seen).toEqual([]);
    });

    test('that throw do not affect the caller or the other effects', async () => {
      const seen: string[] = [];
      const result = await engine.tx('write', async (tx) => {
        tx.afterCommit(() => {
          throw new Error('effect');
        });
        tx.afterCommit(() => seen.push('second'));
        return 'done';
      });
      expect(result).toBe('done');
      expect(seen).toEqual(['second']);
    });
  });

  describe('misuse', () => {
    test('reading through the engine inside a transaction throws', async () => {
      const nested = engine.tx('outer', () => countNotes(engine));
      await expect(nested).rejects.toThrow('inside a transaction use its tx');
    });

    test('a nested transaction throws instead of deadlocking', async () => {
      const nested = engine.tx('outer', () => engine.tx('inner', (tx) => countNotes(tx)));
      await expect(nested).rejects.toThrow('inside a transaction use its tx');
      expect(await countNotes(engine)).toBe(0);
    });

    test('an effect after the commit can use the engine', async () => {
      const counted = deferred<number>();
      await engine.tx('outer', async (tx) => {
        await insertNote(tx, 1n);
        tx.afterCommit(() => void countNotes(engine).then(counted.resolve, counted.reject));
      });
      expect(await counted.promise).toBe(1);
    });

    test('a tx used after its transaction throws', async () => {
      let escaped: Tx | undefined;
      await engine.tx('short', async (tx) => {
        escaped = tx;
      });
      const late = escaped;
      if (!late) throw new Error('the body did not run');
      await expect(insertNote(late, 1n)).rejects.toThrow('has ended');
      expect(() => late.afterCommit(() => undefined)).toThrow('has ended');
      expect(await countNotes(engine)).toBe(0);
    });

    test('writing outside a transaction throws', async () => {
      const writing = engine.all(sql`INSERT INTO notes (id, text) VALUES (1, 'x') RETURNING id`);
      await expect(writing).rejects.toThrow('only a transaction can write');
      expect(await countNotes(engine)).toBe(0);
    });

    test('a closed engine throws StorageUnavailable and can be closed again', async () => {
      const closed = await open();
      await closed.close();
      await closed.close();
      await expect(countNotes(closed)).rejects.toThrow(StorageUnavailable);
      await expect(closed.tx('late', (tx) => countNotes(tx))).rejects.toThrow(StorageUnavailable);
    });

    test('closing waits for earlier transactions', async () => {
      const closing = await open();
      const written = Promise.all([1n, 2n, 3n].map((id) => closing.tx('write', (tx) => insertNote(tx, id))));
      await closing.close();
      expect(await written).toEqual([1, 1, 1]);
    });
  });

  describe('failing statements', () => {
    test('a duplicate key throws AlreadyExists and rolls back the transaction', async () => {
      await insertNotes(1n);
      const failing = engine.tx('twice', async (tx) => {
        await insertNote(tx, 2n);
        await insertNote(tx, 1n);
      });
      await expect(failing).rejects.toThrow(AlreadyExists);
      expect(await countNotes(engine)).toBe(1);
    });

    test('a duplicate text key throws AlreadyExists', async () => {
      const insert = () =>
        engine.tx('name', (tx) => tx.run(sql`INSERT INTO counters (name, value) VALUES ('a', 1)`));
      await insert();
      await expect(insert()).rejects.toThrow(AlreadyExists);
    });

    test('a transaction whose body swallows a failed statement is not committed', async () => {
      await insertNotes(1n);
      const failing = engine.tx('swallow', async (tx) => {
        await insertNote(tx, 2n);
        await insertNote(tx, 1n).catch(() => undefined);
        await expect(insertNote(tx, 3n)).rejects.toThrow('has failed');
      });
      await expect(failing).rejects.toThrow(AlreadyExists);
      expect(await countNotes(engine)).toBe(1);
    });

    test('an error translated from a failed statement reaches the caller', async () => {
      await insertNotes(1n);
      const failing = engine.tx('translate', (tx) =>
        insertNote(tx, 1n).catch(() => {
          throw new Error('taken');
        }),
      );
      await expect(failing).rejects.toThrow('taken');
    });

    test('the engine works after a statement that does not compile', async () => {
      await expect(engine.all(rawSql('SELECT id FROM nowhere'))).rejects.toThrow('nowhere');
      const failing = engine.tx('typo', (tx) => tx.run(rawSql('INSERT INTO nowhere VALUES (1)')));
      await expect(failing).rejects.toThrow('nowhere');
      await insertNotes(1n);
      expect(await countNotes(engine)).toBe(1);
    });
  });

  describe('values', () => {
    test('64-bit ids keep every digit', async () => {
      const ids = [1n, 9007199254740993n, 1445880548472328192n, MAX_ID];
      await insertNotes(...ids);
      const rows = await engine.all(sql`SELECT id FROM notes ORDER BY id`);
      expect(rows.map((row) => asId(row['id']))).toEqual(ids);
    });

    test('integer division stays integer', async () => {
      await engine.tx('number', (tx) =>
        tx.run(sql`INSERT INTO counters (name, value) VALUES ('half', CAST(${7} AS BIGINT) / ${2})`),
      );
      expect(await counterValue(engine, 'half')).toBe(3);
    });

    test('text is bound, never read as SQL, and can contain a question mark', async () => {
      const text = `'); DROP TABLE notes; -- ? "quoted" \u{1F426}`;
      await engine.tx('text', (tx) => insertNote(tx, 1n, text));
      expect(await textOfNote(engine, 1n)).toBe(text);
    });

    test.each([0, 1, 100])('a list of %i ids matches exactly those ids', async (length) => {
      const ids = Array.from({ length: 150 }, (_, index) => MAX_ID - BigInt(index));
      await insertNotes(...ids);
      const wanted = ids.slice(0, length);
      const rows = await engine.all(sql`SELECT id FROM notes WHERE id IN ${list(wanted)} ORDER BY id DESC`);
      expect(rows.map((row) => asId(row['id']))).toEqual(wanted);
    });

    test('a list of texts matches exactly those texts, whatever their characters', async () => {
      const names = ['plain', `o'clock`, '"quoted"', 'back\\slash', '12', 'naïve \u{1F426}'];
      await engine.tx('names', async (tx) => {
        for (const name of [...names, 'other']) await increment(tx, name);
      });
      const rows = await engine.all(sql`SELECT name FROM counters WHERE name IN ${list(names)}`);
      expect(rows.map((row) => asText(row['name'])).sort()).toEqual([...names].sort());
    });

    test('fragments join into one statement', async () => {
      await insertNotes(1n, 2n, 3n, 4n);
      const find = (fragment: ReturnType<typeof sql>) =>
        engine.all(sql`SELECT id FROM notes WHERE id > ${1n} AND ${fragment} ORDER BY id`);
      const above = await find(sql`id < ${4n}`);
      const named = await find(sql`id IN ${list([1n, 2n, 4n])} AND text <> ${'note 4'}`);
      expect(above.map((row) => asId(row['id']))).toEqual([2n, 3n]);
      expect(named.map((row) => asId(row['id']))).toEqual([2n]);
    });

    test('one template can bind a list or a single value', async () => {
      await insertNotes(1n, 2n);
      const find = (value: Parameters<typeof sql>[1]) =>
        engine.all(sql`SELECT id FROM notes WHERE id IN (${value})`);
      expect(await find(2n)).toHaveLength(1);
      expect(await find(sql`1, 2`)).toHaveLength(2);
      expect(await find(1n)).toHaveLength(1);
    });

    test('more distinct statements than the cache holds work', async () => {
      for (let n = 0; n < 1_200; n += 1) {
        const row = await engine.get(rawSql(`SELECT ${n % 700} AS n`));
        expect(Number(row?.['n'])).toBe(n % 700);
      }
    });
  });
}
