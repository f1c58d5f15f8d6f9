import type { Clock } from '../../core/clock.js';
import { firstAcceptedBucket } from '../nonces.js';
import { coalesce } from './coalesce.js';
import { createReceivedWindows } from './received-windows.js';
import { unpackTally } from './tally.js';
import type { Publication } from './worker-channel.js';

/** Passes what the workers of a server publish to the other workers, and keeps it for those that join later. */
export interface CountRelay<Worker> {
  /** Sends a worker everything that counts now, then what the others publish. */
  join(worker: Worker, send: (publications: readonly Publication[]) => void): void;
  leave(worker: Worker): void;
  publish(worker: Worker, publication: Publication): void;
}

/** How long the relay gathers publications: with the interval of the workers, others receive a call within 25 ms. */
const GATHER_MS = 3;

const SWEEP_MS = 60_000;

/** Creates the relay of one server. What a worker published outlives the worker, as counts belong to the server. */
export function createCountRelay<Worker>(clock: Clock): CountRelay<Worker> {
  const workers = new Map<Worker, (publications: readonly Publication[]) => void>();
  const windows = createReceivedWindows();
  const nonces = new Map<string, string>();
  let pending: { readonly worker: Worker; readonly publication: Publication }[] = [];
  let sweptAtMs = clock();

  const relay = coalesce(
    () => {
      for (const [worker, send] of workers) {
        const others = pending.filter((published) => published.worker !== worker);
        if (others.length > 0) send(others.map(({ publication }) => publication));
      }
      pending = [];
    },
    () => GATHER_MS,
  );

  const keep = ({ sender, tally }: Publication, nowMs: number): void => {
    for (const window of unpackTally({ ...tally, nonces: {} }).windows) windows.set(sender, window, nowMs);
    for (const [bucket, digests] of Object.entries(tally.nonces)) {
      nonces.set(bucket, (nonces.get(bucket) ?? '') + digests);
    }
  };

  const sweep = (nowMs: number): void => {
    if (Math.abs(nowMs - sweptAtMs) < SWEEP_MS) return;
    sweptAtMs = nowMs;
    windows.sweep(nowMs);
    const firstAccepted = firstAcceptedBucket(nowMs);
    for (const bucket of nonces.keys()) if (Number(bucket) < firstAccepted) nonces.delete(bucket);
  };

  return {
    join: (worker, send) => {
      for (const [sender, tallies] of windows.bySender()) {
        const packed = tallies.map(({ digest, used, endsMs }) => [digest, used, endsMs] as const);
        send([{ sender, tally: { windows: packed, nonces: {} } }]);
      }
      for (const [bucket, digests] of nonces) {
        send([{ sender: '', tally: { windows: [], nonces: { [bucket]: digests } } }]);
      }
      workers.set(worker, send);
    },
    leave: (worker) => void workers.delete(worker),
    publish: (worker, publication) => {
      const nowMs = clock();
      sweep(nowMs);
      keep(publication, nowMs);
      pending.push({ worker, publication });
      relay();
    },
  };
}
