import { describe, expect, it } from 'vitest';
import { verifies } from './pkce.js';

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('a code verifier', () => {
  it('matches the published challenge, with its method only', () => {
    expect(verifies(VERIFIER, { codeChallenge: CHALLENGE, challengeMethod: 'S256' })).toBe(true);
    expect(verifies(VERIFIER, { codeChallenge: CHALLENGE, challengeMethod: 'plain' })).toBe(false);
    expect(verifies(CHALLENGE, { codeChallenge: CHALLENGE, challengeMethod: 'S256' })).toBe(false);
    expect(verifies(VERIFIER, { codeChallenge: VERIFIER, challengeMethod: 'plain' })).toBe(true);
  });

  it.each([0, 172])('of %i characters is refused', (length) => {
    const verifier = 'v'.repeat(length);
    expect(verifies(verifier, { codeChallenge: verifier, challengeMethod: 'plain' })).toBe(false);
  });
});
