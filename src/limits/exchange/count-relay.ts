import type { Clock } from '../../core/clock.js';
import { delayed } from '../../core/timers.js';
import { firstAcceptedBucket } from '../nonces.js';
import { createReceivedWindows } from './exchanged-windows.js';
import { unpackTally } from './tally.js';
import type { Publication } from './count-exchange.js';

export type CountRelay<Worker> = ReturnType<typeof createCountRelay<Worker>>;

/**
 * The time for which the relay gathers publications: together with the workers' interval, a call reaches the others
 * within 25 ms.
 */
const GATHER_MS = 3;

const SWEEP_MS = 60_000;

/**
 * Creates the relay of publications between the workers of a server. It keeps them for workers that join later; they
 * outlive their worker, since counts belong to the server.
 */
export function createCountRelay<Worker>(clock: Clock) {
  const workers = new Map<Worker, (publications: readonly Publication[]) => void>();
  const windows = createReceivedWindows();
  const nonces = new Map<string, string>();
  let pending: { readonly worker: Worker; readonly publication: Publication }[] = [];
  let sweptAtMs = clock();

  const relay = delayed(
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
    /** Sends a worker all current publications, then those of the other workers. */
    join: (worker: Worker, send: (publications: readonly Publication[]) => void) => {
      for (const [sender, tallies] of windows.bySender()) {
        const packed = tallies.map(({ digest, used, endsMs }) => [digest, used, endsMs] as const);
        send([{ sender, tally: { windows: packed, nonces: {} } }]);
      }
      for (const [bucket, digests] of nonces) {
        send([{ sender: '', tally: { windows: [], nonces: { [bucket]: digests } } }]);
      }
      workers.set(worker, send);
    },
    leave: (worker: Worker) => void workers.delete(worker),
    publish: (worker: Worker, publication: Publication) => {
      const nowMs = clock();
      sweep(nowMs);
      keep(publication, nowMs);
      pending.push({ worker, publication });
      relay();
    },
  };
}
