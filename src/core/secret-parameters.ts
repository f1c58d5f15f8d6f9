/** Replaces a secret in logs, journals and explanations. */
export const HIDDEN = 'HIDDEN';

/** Names that indicate secrets. */
const SECRET_NAME = /pass|secret|token|bearer|code|verifier|assertion|signature|auth|key|session|state|csrf/i;

/** Parameters of OAuth 1.0a that are not secret: of a signed request (RFC 5849 3.1) and of an answer to one (2.1). */
const IDENTIFYING_NAMES: ReadonlySet<string> = new Set([
  'oauth_body_hash',
  'oauth_callback',
  'oauth_callback_confirmed',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
]);

/** How much of a token is kept: enough to identify it. */
const TOKEN_PREFIX_LENGTH = 8;

/** Reports whether the name of a parameter indicates a secret. */
export function hasSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Reports whether a parameter of OAuth 1.0a only identifies a request or its answer. Such a name may look like that of a secret. */
export function isIdentifying(name: string): boolean {
  return IDENTIFYING_NAMES.has(name);
}

/** Hides a token except its first characters; a short one is hidden whole. */
export function hideToken(token: string): string {
  if (token === '') return '';
  return token.length > TOKEN_PREFIX_LENGTH ? token.slice(0, TOKEN_PREFIX_LENGTH) + HIDDEN : HIDDEN;
}
