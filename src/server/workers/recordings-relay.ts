import cluster, { type Worker } from 'node:cluster';
import type { RecordingNews, RecordingPeers } from '../../journal/recording-peers.js';
import { sendMessage } from './messages.js';

/** Workers tell the primary process, which tells the other workers. */
type Message =
  | { readonly kind: 'recordings-join' }
  | { readonly kind: 'recordings-tell'; readonly news: RecordingNews }
  | { readonly kind: 'recordings-told'; readonly news: RecordingNews };

/** Relays what workers tell each other of recordings; runs in the primary process. */
export function relayRecordings(): void {
  const joined = new Set<Worker>();
  cluster.on('exit', (worker) => joined.delete(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message.kind === 'recordings-join') joined.add(worker);
    if (message.kind !== 'recordings-tell') return;
    const { news } = message;
    for (const other of joined) {
      if (other !== worker) void sendMessage<Message>(other, { kind: 'recordings-told', news });
    }
  });
}

/** Connects a worker to the relay. */
export function joinRecordings(slot: number): RecordingPeers {
  const toPrimary = (message: Message): void => {
    if (cluster.worker) void sendMessage<Message>(cluster.worker, message);
  };
  return {
    process: slot,
    tell: (news) => toPrimary({ kind: 'recordings-tell', news }),
    listen: (hear) => {
      cluster.worker?.on('message', (message: Message) => {
        if (message.kind === 'recordings-told') hear(message.news);
      });
      toPrimary({ kind: 'recordings-join' });
    },
  };
}
