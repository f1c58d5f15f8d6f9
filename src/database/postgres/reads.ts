import { nextTick } from 'node:process';
import type { Queryable } from '../engine.js';
import type { Sql } from '../sql.js';
import type { Answer, Connections } from './connections.js';
import { ConnectionLost, ReadOnly, StalePlan } from './driver-errors.js';
import { isBounded } from './bounded.js';
import { retryConflicts } from './retry.js';

interface Waiting {
  readonly query: Sql;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The maximum of reads that share a packet: with more, the server answers faster over several connections. */
const MAX_TOGETHER = 16;

/**
 * Creates reads outside transactions. Each sees its own snapshot. Bounded reads of one turn of the microtask queue share
 * a connection and a packet, since waking a process of the server costs more than such a read. Other reads have a
 * connection of their own: they may be slow, and the server answers in order.
 */
export function createReads(connections: Pick<Connections, 'use'>, busyLimitMs: number): Queryable {
  let gathered: Waiting[] | undefined;

  const send = async (reads: readonly Waiting[]): Promise<void> => {
    try {
      await connections.use(async (connection) => {
        const errors: unknown[] = [];
        const answering = reads.map(({ query, resolve, reject }) =>
          connection.run(query).then(resolve, (error: unknown) => {
            errors.push(error);
            reject(error);
          }),
        );
        await Promise.all(answering);
        // The connection is not reused after these.
        const broken = errors.find((error) => error instanceof ConnectionLost || error instanceof StalePlan);
        if (broken !== undefined) throw broken;
      });
    } catch (error) {
      // Those that were sent are settled already.
      for (const { reject } of reads) reject(error);
    }
  };
  const gather = (query: Sql): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (!gathered || gathered.length === MAX_TOGETHER) {
        const reads: Waiting[] = [];
        gathered = reads;
        nextTick(() => {
          gathered = undefined;
          void send(reads);
        });
      }
      gathered.push({ query, resolve, reject });
    });
  const run = (query: Sql): Promise<Answer> =>
    isBounded(query) ? gather(query) : connections.use((connection) => connection.run(query));

  const read = async (query: Sql): Promise<Answer> => {
    try {
      return await retryConflicts(() => run(query), busyLimitMs);
    } catch (error) {
      if (error instanceof ReadOnly) throw new Error('only a transaction can write', { cause: error });
      throw error;
    }
  };
  return {
    all: async (query) => (await read(query)).rows,
    get: async (query) => (await read(query)).rows[0],
  };
}
