import { createNonceMemory, seenNonce, type NonceClaim, type SeenNonce, type SignedOnce } from '../nonces.js';
import type { CountedWindow } from '../rate-windows.js';
import { createExchangedWindows } from './exchanged-windows.js';
import type { Tally } from './tally.js';

/** The counts and nonces of this process together with those received from others. */
export type ExchangedCounts = ReturnType<typeof createExchangedCounts>;

/** Creates the counts of this process, without those of other processes. */
export function createExchangedCounts() {
  const listeners: { window(window: CountedWindow): void; nonce(nonce: SeenNonce): void }[] = [];
  const windows = createExchangedWindows((window) => {
    for (const listener of listeners) listener.window(window);
  });
  const memory = createNonceMemory();
  let firstKnownSeconds = 0;

  const claim = (key: SignedOnce, nowMs: number): NonceClaim => {
    if (key.timestampSeconds < firstKnownSeconds) return 'forgotten';
    const nonce = seenNonce(key);
    const claimed = memory.add(nonce, nowMs);
    if (claimed === 'new') for (const listener of listeners) listener.nonce(nonce);
    return claimed;
  };

  const openOutbox = (onPending: () => void = () => undefined) => {
    const pendingWindows = new Set<CountedWindow>();
    let pendingNonces: SeenNonce[] = [];
    listeners.push({
      window: (window) => {
        pendingWindows.add(window);
        onPending();
      },
      nonce: (nonce) => {
        pendingNonces.push(nonce);
        onPending();
      },
    });
    return {
      /** Removes and returns up to these numbers of windows and nonces. */
      take: (maxWindows = Infinity, maxNonces = Infinity): Tally => ({
        windows: takeWindows(pendingWindows, maxWindows),
        nonces: pendingNonces.splice(0, maxNonces),
      }),
      /** Adds all windows of this process. */
      addWindows: () => {
        for (const window of windows.own()) pendingWindows.add(window);
      },
      /** Adds all remembered nonces. */
      addNonces: () => {
        pendingNonces = [...memory.all()];
      },
      discardWindows: () => pendingWindows.clear(),
    };
  };

  return {
    windows,
    nonces: { claim },
    /**
     * Opens the outbox of a transport: the counts that it has not published yet. `onPending` is called for each added
     * call or nonce.
     */
    openOutbox,
    /** Adds a publication of another process: its current calls and its claimed nonces. */
    receive: (sender: string, tally: Tally, nowMs: number) => {
      windows.receive(sender, tally.windows, nowMs);
      for (const nonce of tally.nonces) memory.add(nonce, nowMs);
    },
    /** Refuses nonces with earlier timestamps from now on, since some claimed ones are unknown. */
    forgetBefore: (timeMs: number) => {
      // The second itself is accepted: clients that sign at the moment of the start use it.
      firstKnownSeconds = Math.max(firstKnownSeconds, Math.floor(timeMs / 1000));
    },
    /** Removes windows that have ended. */
    sweep: windows.sweep,
  };
}

function takeWindows(pending: Set<CountedWindow>, limit: number): Tally['windows'] {
  const taken = [];
  for (const window of pending) {
    if (taken.length === limit) break;
    pending.delete(window);
    taken.push({ digest: window.digest, used: window.used, endsMs: window.endsMs });
  }
  return taken;
}
