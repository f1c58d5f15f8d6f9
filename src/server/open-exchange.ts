import { randomUUID } from 'node:crypto';
import { createCountExchange, type CountExchange } from '../limits/exchange/count-exchange.js';
import type { Backend } from './backend.js';
import type { StorageLog } from '../database/storage-log.js';
import type { CountsGroup } from './workers/counts-channel.js';

/** Creates the exchange of counts with the other processes of the server, and with other servers of its database. */
export function openExchange(
  { log, countsGroup }: { readonly log: StorageLog; readonly countsGroup?: CountsGroup },
  { engine, clock, ids }: Backend,
): CountExchange {
  const { groupId, ...others } = countsGroup ?? { groupId: randomUUID(), startedAtMs: clock() };
  return createCountExchange({ engine, clock, log, server: { id: ids.next(), groupId }, ...others });
}
