import { hash } from 'node:crypto';
import type { ChallengeMethod } from '../../stores/authorization-codes.js';
import { equalsInConstantTime } from '../../services/secrets/secrets.js';
import { OAuthError } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';

/**
 * Verifiers and challenges. RFC 7636 4.1 allows 43 to 128 characters, but published samples send fewer, and tweepy's
 * handler requests 128 from oauthlib, which returns 128 bytes in base64: 171 characters.
 */
const PROOF = /^[A-Za-z0-9._~-]{1,171}$/;

/** The challenge with which a client later proves that it made this request. */
export interface Challenge {
  readonly codeChallenge: string;
  readonly challengeMethod: ChallengeMethod;
}

/**
 * Returns the code challenge of an authorization request, which is mandatory
 * (docs/api/authentication.md#client-types). The method is case-insensitive and defaults to `plain` (RFC 7636 4.3).
 * Throws `invalid_request`.
 */
export function readChallenge(parameters: OAuthParameters): Challenge {
  const codeChallenge = required(parameters, 'code_challenge');
  const challengeMethod = methodOf(parameters.get('code_challenge_method') ?? 'plain');
  if (!PROOF.test(codeChallenge)) {
    throw new OAuthError(
      'invalid_request',
      'Value passed for the code challenge must have 1 to 171 letters, digits or -._~ characters.',
    );
  }
  return { codeChallenge, challengeMethod };
}

function methodOf(text: string): ChallengeMethod {
  switch (text.toLowerCase()) {
    case 's256':
      return 'S256';
    case 'plain':
      return 'plain';
    default:
      throw new OAuthError(
        'invalid_request',
        'Value passed for the code challenge method must be S256 or plain.',
      );
  }
}

/** Reports whether the verifier matches the challenge (RFC 7636 4.6). */
export function verifies(verifier: string, { codeChallenge, challengeMethod }: Challenge): boolean {
  const answer = challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return PROOF.test(verifier) && equalsInConstantTime(answer, codeChallenge);
}
