import type { CountRelay } from '../../../src/limits/exchange/count-relay.js';
import type { Publication, WorkerChannel } from '../../../src/limits/exchange/count-exchange.js';

/** Returns the channel of a worker in this process. Messages are copied, as between processes. */
export function channelTo(relay: CountRelay<object>): WorkerChannel & { close(): void } {
  const worker = {};
  return {
    join: (receive) => {
      relay.join(worker, (publications) => receive(copyOf(publications)));
      return Promise.resolve();
    },
    publish: (publication) => {
      relay.publish(worker, copyOf(publication));
      return Promise.resolve();
    },
    close: () => relay.leave(worker),
  };
}

function copyOf<Sent extends Publication | readonly Publication[]>(sent: Sent): Sent {
  return JSON.parse(JSON.stringify(sent)) as Sent;
}
