import type { Clock } from '../../core/clock.js';
import type { AuthRequest } from '../auth-request.js';
import { baseString, normalizeParameters } from './base-string.js';
import type { BaseUrlCandidates } from './base-urls.js';
import { parseForm, type Pair } from './form.js';
import type { NonceStore } from './nonces.js';
import { hideSecrets } from './hide-secrets.js';
import { OAuth1Refused } from './oauth1-refused.js';
import { rawQuery, readProtocol, TIMESTAMP_SKEW_SECONDS, type Protocol } from './protocol.js';
import { equalsInConstantTime, signBaseString, type SigningSecrets } from './signature.js';

export interface OAuth1VerifierDeps {
  readonly clock: Clock;
  readonly nonces: NonceStore;
  readonly baseUrls: BaseUrlCandidates;
}

export interface VerifyOptions {
  /**
   * Accept `oauth_token` in header and body with one value, signed once or twice, as clients send it to
   * `/oauth/access_token` (reference/fine-points.md 8). Everywhere else a doubled parameter is refused.
   */
  readonly repeatedToken?: boolean;
}

/** Checks OAuth 1.0a signatures (RFC 5849). Between `read` and `verify` the caller looks up whose secrets sign. */
export interface OAuth1Verifier {
  /** The request's protocol parameters, timestamp in bounds. Throws the 401. */
  read(request: AuthRequest): Protocol;
  /** Returns when the signature holds and the nonce is new, and claims the nonce. Throws the 401 otherwise. */
  verify(request: AuthRequest, protocol: Protocol, secrets: SigningSecrets, options?: VerifyOptions): void;
}

export function createOAuth1Verifier({ clock, nonces, baseUrls }: OAuth1VerifierDeps): OAuth1Verifier {
  return {
    read: (request) => {
      const protocol = readProtocol(request);
      requireInBounds(protocol.timestampSeconds, clock());
      return protocol;
    },
    verify: (request, protocol, secrets, options = {}) => {
      const alternatives = signedPairs(request, protocol, options);
      const parameterTexts = alternatives.map(normalizeParameters);
      const urls = baseUrls(request).map((baseUrl) => baseUrl + pathOf(request.url));
      const holds = urls.some((url) =>
        parameterTexts.some((text) => {
          const base = baseString(request.method, url, text);
          return equalsInConstantTime(protocol.signature, signBaseString(base, secrets));
        }),
      );
      if (!holds) throw signatureRefused(request.method, urls, alternatives);
      claimNonce(nonces, protocol, clock());
    },
  };
}

const OUT_OF_BOUNDS = { reason: 'timestamp-out-of-bounds' } as const;

/** Names the base string of the likeliest URL. A Host header that names no host leaves none. */
function signatureRefused(
  method: string,
  [url = '']: readonly string[],
  [pairs = []]: readonly Pair[][],
): OAuth1Refused {
  const text = normalizeParameters(hideSecrets(pairs));
  return new OAuth1Refused('signature', 'the OAuth signature does not match', {
    baseString: baseString(method, url, text),
  });
}

function requireInBounds(timestampSeconds: number, nowMs: number): void {
  if (Math.abs(nowMs - timestampSeconds * 1000) > TIMESTAMP_SKEW_SECONDS * 1000) {
    throw new OAuth1Refused('timestamp', 'the OAuth timestamp is out of bounds', OUT_OF_BOUNDS);
  }
}

function claimNonce(nonces: NonceStore, protocol: Protocol, nowMs: number): void {
  switch (nonces.claim({ ...protocol, token: protocol.token ?? '' }, nowMs)) {
    case 'new':
      return;
    case 'used':
      throw new OAuth1Refused('nonce', 'the OAuth nonce was used before');
    case 'forgotten':
      throw new OAuth1Refused(
        'timestamp',
        'the OAuth timestamp is older than remembered nonces',
        OUT_OF_BOUNDS,
      );
  }
}

/** The parameter lists of which one must have been signed: one, or two when a repeated token is tolerated. */
function signedPairs(request: AuthRequest, protocol: Protocol, options: VerifyOptions): Pair[][] {
  const sent = [
    ...protocol.headerPairs,
    ...parseForm(rawQuery(request.url)),
    ...parseForm(request.formBody ?? ''),
  ];
  const once = options.repeatedToken ? withoutRepeatedToken(sent, protocol) : sent;
  requireSingleProtocolParameters(once);
  const alternatives = once.length < sent.length ? [once, sent] : [sent];
  return alternatives.map((pairs) => pairs.filter(([name]) => name !== 'oauth_signature'));
}

function withoutRepeatedToken(pairs: readonly Pair[], { token }: Protocol): Pair[] {
  const first = pairs.findIndex(([name]) => name === 'oauth_token');
  return pairs.filter(([name, value], index) => name !== 'oauth_token' || index === first || value !== token);
}

function requireSingleProtocolParameters(pairs: readonly Pair[]): void {
  const names = pairs.map(([name]) => name).filter((name) => name.startsWith('oauth_'));
  if (new Set(names).size < names.length)
    throw new OAuth1Refused('parameters', 'an OAuth parameter is given twice');
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
