import type { Pair } from './form.js';

/** Parameters whose values grant access. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  'oauth_verifier',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'password',
  'x_auth_password',
]);

/** Replaces secret values for the log. */
export function hideSecrets(pairs: readonly Pair[]): Pair[] {
  return pairs.map(([name, value]) => [name, SECRET_PARAMETERS.has(name) ? 'HIDDEN' : value]);
}
