import { seenNonce, type NonceStore, type SeenNonce, type SignedOnce } from '../oauth1/nonces.js';

/** Nonces of which also those are known that other servers tell, some time after. */
export interface ExchangedNonces extends NonceStore {
  /** Takes up to `limit` of the nonces that were claimed here and not told yet, to be told now. */
  takeUntold(limit: number): SeenNonce[];
  /** All that are remembered are to be told. */
  retell(): void;
  /** Nobody is there to be told. */
  nobodyListens(): void;
}

/** Adds to the nonces that this server claims, `local`, those that others told. */
export function createExchangedNonces(local: NonceStore): ExchangedNonces {
  let claimed: SignedOnce[] = [];
  let remembered: SeenNonce[] = [];
  return {
    ...local,
    claim: (key, nowMs) => {
      const claim = local.claim(key, nowMs);
      if (claim === 'new') claimed.push(key);
      return claim;
    },
    takeUntold: (limit) => {
      const old = remembered.splice(0, limit);
      const fresh = claimed.splice(0, limit - old.length).map(seenNonce);
      return [...old, ...fresh];
    },
    retell: () => {
      claimed = [];
      remembered = [...local.all()];
    },
    nobodyListens: () => {
      claimed = [];
      remembered = [];
    },
  };
}
