import { seenNonce, type NonceStore, type SeenNonce, type SignedOnce } from '../nonces.js';

/** Nonces of which also those are known that other servers tell, some time after. */
export interface ExchangedNonces extends NonceStore {
  /** Takes up to `limit` of the nonces that were claimed here and not told yet, to be told now. */
  takePending(limit: number): SeenNonce[];
  /** All that are remembered are to be told. */
  retell(): void;
  /** Refuses nonces with earlier timestamps from now on: some of those that were claimed then are not known. */
  forgetBefore(timeMs: number): void;
}

/** Adds to the nonces that this server claims, `local`, those that others told. */
export function createExchangedNonces(local: NonceStore): ExchangedNonces {
  let claimed: SignedOnce[] = [];
  let remembered: SeenNonce[] = [];
  let firstKnownSeconds = 0;
  return {
    ...local,
    claim: (key, nowMs) => {
      if (key.timestampSeconds < firstKnownSeconds) return 'forgotten';
      const claim = local.claim(key, nowMs);
      if (claim === 'new') claimed.push(key);
      return claim;
    },
    takePending: (limit) => {
      const old = remembered.splice(0, limit);
      const fresh = claimed.splice(0, limit - old.length).map(seenNonce);
      return [...old, ...fresh];
    },
    retell: () => {
      claimed = [];
      remembered = [...local.all()];
    },
    forgetBefore: (timeMs) => {
      // The second itself is not refused: clients that sign as soon as a server is there are in it.
      firstKnownSeconds = Math.max(firstKnownSeconds, Math.floor(timeMs / 1000));
    },
  };
}
