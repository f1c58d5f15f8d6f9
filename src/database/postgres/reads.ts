import { nextTick } from 'node:process';
import type { Queryable } from '../engine.js';
import type { Lane, Sql } from '../sql.js';
import type { Answer, Connections } from './connections.js';
import { ConnectionLost, ReadOnly, StalePlan } from './driver-errors.js';
import { laneOf } from './lanes.js';
import { retryConflicts } from './retry.js';

interface Waiting {
  readonly query: Sql;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The maximum number of reads in a packet: the server answers more of them faster over several connections. */
const MAX_TOGETHER = 8;

/**
 * Creates reads outside transactions. Each sees its own snapshot. Reads of one lane and one turn of the microtask queue
 * share a connection and a packet, since waking a process of the server costs more than a short read. Others have a
 * connection of their own. The server answers in order, so a slow read delays at most the few behind it in its lane.
 */
export function createReads(connections: Pick<Connections, 'use'>, busyLimitMs: number): Queryable {
  const lanes = new Map<Lane, Waiting[]>();

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
  const gather = (lane: Lane, query: Sql): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let gathered = lanes.get(lane);
      if (!gathered || gathered.length === MAX_TOGETHER) {
        const reads: Waiting[] = (gathered = []);
        lanes.set(lane, reads);
        nextTick(() => {
          if (lanes.get(lane) === reads) lanes.delete(lane);
          void send(reads);
        });
      }
      gathered.push({ query, resolve, reject });
    });
  const run = (query: Sql): Promise<Answer> => {
    const lane = laneOf(query);
    return lane ? gather(lane, query) : connections.use((connection) => connection.run(query));
  };

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
