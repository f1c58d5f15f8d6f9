import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANGES, changeOf, type RecordedChange, type StoredTable } from '../stored-rows.js';
import {
  ALLOW_TRIGGERS,
  CHANGES_ON_SHARDS,
  createChangesOnShards,
  forgetChangesOf,
  readChangesOf,
  recordsOf,
} from './citus/changes-on-shards.js';
import { arrayOf, type Execute, type ReadRows } from './raw-rows.js';
import {
  CREATE_CHANGES,
  FORGET_CHANGES,
  READ_CHANGES,
  RECORDED_TABLES,
  startRecording,
  stopRecording,
} from './recording.js';

/** How long a server may wait for a trigger, and after which pause it is tried again. */
const TRIGGER_LOCK = `SET LOCAL lock_timeout = '2s'`;
const RETRY_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** Records the keys of changed rows by triggers, for `StoredRows`. */
export class ChangeRecorder {
  /** `placed` are the tables that Citus has placed; none on one server. */
  constructor(
    private readonly placed: ReadonlySet<string>,
    private readonly rows: ReadRows,
    private readonly exec: Execute,
    private readonly inTransaction: (work: () => Promise<void>) => Promise<void>,
  ) {}

  async start(tables: readonly StoredTable[]): Promise<void> {
    await this.exec(CREATE_CHANGES);
    if (this.placed.size > 0) await this.#execAll(createChangesOnShards(tables));
    const recorded = new Set(await this.#recordedTables());
    for (const table of tables) if (!recorded.has(table.name)) await this.#record(table);
  }

  async read(limit: number): Promise<RecordedChange[]> {
    const changes = await this.rows(READ_CHANGES, [limit]);
    for (const place of this.#onShards())
      if (changes.length < limit)
        changes.push(...(await this.rows(readChangesOf(place), [limit - changes.length])));
    return changes.map(changeOf);
  }

  async forget(changes: readonly RecordedChange[]): Promise<void> {
    const numbers = changes.map(({ number }) => number);
    const here = numbers.filter((number) => !number.includes(':'));
    await this.rows(FORGET_CHANGES, [arrayOf('integer', here)]);
    for (const place of this.#onShards()) {
      const there = numbers.filter((number) => number.startsWith(`${place}:`));
      if (there.length > 0) await this.rows(forgetChangesOf(place), [arrayOf('text', there)]);
    }
  }

  /** Ends the recording within the caller's transaction. */
  async end(): Promise<void> {
    if (this.placed.size > 0) await this.exec(ALLOW_TRIGGERS);
    for (const name of await this.#recordedTables()) await this.#execAll(stopRecording(name));
    await this.exec(`DROP TABLE IF EXISTS ${[CHANGES, ...this.#onShards()].join(', ')}`);
  }

  async #recordedTables(): Promise<string[]> {
    return (await this.rows(RECORDED_TABLES)).map(([name]) => name ?? '');
  }

  #onShards(): readonly string[] {
    return this.placed.size > 0 ? CHANGES_ON_SHARDS : [];
  }

  /** Adds a trigger. A busy table is tried again: a waiting trigger would make all its writers wait. */
  async #record(table: StoredTable): Promise<void> {
    for (;;) {
      try {
        return await this.inTransaction(() => this.#execAll([TRIGGER_LOCK, ...this.#startOf(table)]));
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      await delay(RETRY_MS);
    }
  }

  #startOf(table: StoredTable): readonly string[] {
    if (!this.placed.has(table.name)) return startRecording(table);
    return [ALLOW_TRIGGERS, ...startRecording(table, recordsOf(table.name))];
  }

  /** Runs one statement after the other: Citus sends the whole text that it gets to the workers. */
  async #execAll(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.exec(statement);
  }
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && [LOCK_NOT_AVAILABLE, DEADLOCK].includes(cause.code ?? '');
}
