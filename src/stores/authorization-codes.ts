import type { AppId, UserId } from '../core/ids.js';
import type { Scope } from '../core/access.js';
import { asId, asNumber, asOptionalNumber, asText } from '../database/sql.js';
import { defineTable, rowChange } from '../database/table.js';
import { listScopes } from './tokens.js';

/** How the code challenge is derived from the verifier (RFC 7636 4.2). */
export type ChallengeMethod = 'S256' | 'plain';

/** A user's consent until the app exchanges it for tokens (RFC 6749 4.1.2). */
export interface AuthorizationCode {
  readonly codeHash: string;
  readonly appId: AppId;
  readonly userId: UserId;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
  readonly challengeMethod: ChallengeMethod;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly redeemedAtMs?: number;
}

const CODES = defineTable<AuthorizationCode, string>('authorization_codes', 'codeHash', {
  codeHash: ['code_hash', asText],
  appId: ['app_id', asId],
  userId: ['user_id', asId],
  redirectUri: ['redirect_uri', asText],
  scopes: ['scopes', listScopes, (scopes) => scopes.join(' ')],
  codeChallenge: ['code_challenge', asText],
  challengeMethod: ['challenge_method', asText],
  createdAtMs: ['created_at', asNumber],
  expiresAtMs: ['expires_at', asNumber],
  redeemedAtMs: ['redeemed_at', asOptionalNumber],
});

export const insertAuthorizationCode = CODES.insert;

/** Returns the code with this hash, including redeemed and expired codes. */
export const findAuthorizationCode = CODES.find;

/** Redeems a code. Only one of several concurrent callers gets true. */
export const redeemAuthorizationCode = rowChange<[redeemedAtMs: number, codeHash: string]>(
  'UPDATE authorization_codes SET redeemed_at = ? WHERE code_hash = ? AND redeemed_at IS NULL',
);
