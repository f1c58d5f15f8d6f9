import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../core/clock.js';
import { createCountRelay } from '../../limits/exchange/count-relay.js';
import type { Publication, WorkerChannel } from '../../limits/exchange/count-exchange.js';
import { sendMessage, type WorkerGroup } from './messages.js';

/** The workers of a server, as one of them sees them. */
export interface CountsGroup extends WorkerGroup {
  readonly channel: WorkerChannel;
}

/**
 * Workers send `join` and publications; the primary process sends publications, and `joined` after the earlier ones.
 */
type Message =
  | { readonly kind: 'counts-join' }
  | { readonly kind: 'counts-publish'; readonly publication: Publication }
  | { readonly kind: 'counts-published'; readonly publications: readonly Publication[] }
  | { readonly kind: 'counts-joined' };

/** Starts to relay counts between workers. Call it in the primary process before starting workers. */
export function relayCounts(): WorkerGroup {
  const relay = createCountRelay<Worker>(systemClock);
  cluster.on('exit', (worker) => relay.leave(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message.kind === 'counts-publish') relay.publish(worker, message.publication);
    if (message.kind !== 'counts-join') return;
    relay.join(
      worker,
      (publications) => void sendMessage<Message>(worker, { kind: 'counts-published', publications }),
    );
    void sendMessage<Message>(worker, { kind: 'counts-joined' });
  });
  return { groupId: randomUUID(), startedAtMs: systemClock() };
}

/** Opens the channel from this worker to the others of its server. */
export function openCountsChannel({ groupId, startedAtMs }: WorkerGroup): CountsGroup {
  const { worker } = cluster;
  if (!worker) throw new Error('this process is not a worker');
  const join: WorkerChannel['join'] = (receive) =>
    new Promise((resolve) => {
      worker.on('message', (message: Message) => {
        if (message.kind === 'counts-published') receive(message.publications);
        if (message.kind === 'counts-joined') resolve();
      });
      void sendMessage<Message>(worker, { kind: 'counts-join' });
    });
  const publish: WorkerChannel['publish'] = (publication) =>
    sendMessage<Message>(worker, { kind: 'counts-publish', publication });
  return { groupId, startedAtMs, channel: { join, publish } };
}
