import type { Clock } from '../../core/clock.js';
import { explained } from '../../core/explanation.js';
import { equalsInConstantTime } from '../../services/secrets/secrets.js';
import { type AuthRequest, pathOf } from '../auth-request.js';
import { baseString, normalizeParameters, signBaseString, type SigningSecrets } from './signature.js';
import type { BaseUrlCandidates } from './base-urls.js';
import { type Pair, isProtocolParameter, readProtocol, type Protocol } from './protocol.js';
import { type NonceStore, TIMESTAMP_AHEAD_SECONDS, TIMESTAMP_SKEW_SECONDS } from '../../limits/nonces.js';
import { explainNonce, explainTimestamp } from '../diagnosis/explain-times.js';
import { explainSignature } from './diagnosis/explain-signature.js';
import { hideSecret } from './diagnosis/hide-sent.js';
import { OAuth1Refused } from './refusal.js';

export interface OAuth1VerifierDeps {
  readonly clock: Clock;
  readonly nonces: NonceStore;
  readonly baseUrls: BaseUrlCandidates;
}

export type OAuth1Verifier = ReturnType<typeof createOAuth1Verifier>;

/** Creates a verifier of OAuth 1.0a signatures (RFC 5849). Between `read` and `verify` the caller finds the secrets. */
export function createOAuth1Verifier({ clock, nonces, baseUrls }: OAuth1VerifierDeps) {
  return {
    /** Returns the request's protocol parameters, with a timestamp within bounds. Throws a 401 otherwise. */
    read: (request: AuthRequest) => {
      const protocol = readProtocol(request);
      requireInBounds(protocol.timestampSeconds, clock());
      return protocol;
    },
    /**
     * Verifies the signature and claims the nonce. Throws a 401 if the signature does not match or the nonce was used.
     */
    verify: (request: AuthRequest, protocol: Protocol, secrets: SigningSecrets) => {
      const alternatives = signedPairs(protocol);
      const parameterTexts = alternatives.map((pairs) => normalizeParameters(pairs));
      const urls = baseUrls(request).map((baseUrl) => baseUrl + pathOf(request.url));
      const holds = urls.some((url) =>
        parameterTexts.some((text) => {
          const base = baseString(request.method, url, text);
          return equalsInConstantTime(protocol.signature, signBaseString(base, secrets));
        }),
      );
      if (!holds) {
        throw explained(signatureRefused(request.method, urls, alternatives), ({ body }) =>
          explainSignature({ request, protocol, secrets, baseUrls: baseUrls(request), body }),
        );
      }
      claimNonce(nonces, protocol, clock());
    },
  };
}

const OUT_OF_BOUNDS = { reason: 'timestamp-out-of-bounds' } as const;

/** Returns an error with the base string of the most likely URL; there is none for an invalid Host header. */
function signatureRefused(
  method: string,
  [url = '']: readonly string[],
  [pairs = []]: readonly Pair[][],
): OAuth1Refused {
  const text = normalizeParameters(pairs.map(hideSecret));
  return new OAuth1Refused('signature', 'the OAuth signature does not match', {
    baseString: baseString(method, url, text),
  });
}

function requireInBounds(timestampSeconds: number, nowMs: number): void {
  const aheadMs = timestampSeconds * 1000 - nowMs;
  if (aheadMs > TIMESTAMP_AHEAD_SECONDS * 1000 || aheadMs < -TIMESTAMP_SKEW_SECONDS * 1000) {
    throw explained(
      new OAuth1Refused('timestamp', 'the OAuth timestamp is out of bounds', OUT_OF_BOUNDS),
      () => explainTimestamp(timestampSeconds, nowMs),
    );
  }
}

function claimNonce(nonces: NonceStore, protocol: Protocol, nowMs: number): void {
  switch (nonces.claim({ ...protocol, token: protocol.token ?? '' }, nowMs)) {
    case 'new':
      return;
    case 'used':
      throw explained(new OAuth1Refused('nonce', 'the OAuth nonce was used before'), explainNonce);
    case 'forgotten':
      throw new OAuth1Refused(
        'timestamp',
        'the OAuth timestamp is older than remembered nonces',
        OUT_OF_BOUNDS,
      );
  }
}

/**
 * Returns the parameter lists that the client may have signed: with repeated protocol parameters once, or as sent.
 */
function signedPairs({ sent }: Protocol): Pair[][] {
  const once = withoutRepeated(sent);
  const alternatives = once.length < sent.length ? [once, sent] : [sent];
  return alternatives.map((pairs) => pairs.filter(([name]) => name !== 'oauth_signature'));
}

/** Removes repeated protocol parameters, which have equal values: `readProtocol` refuses others. */
function withoutRepeated(pairs: readonly Pair[]): readonly Pair[] {
  const seen = new Set<string>();
  return pairs.filter(([name]) => {
    if (!isProtocolParameter(name)) return true;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
}
