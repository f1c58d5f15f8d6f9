import { refusal } from './oauth-error.js';

/** The parameters of an OAuth 2.0 request, without duplicates. */
export type OAuthParameters = ReadonlyMap<string, string>;

/**
 * Returns a parameter's value. Throws the documented error if it is absent or empty, which are equivalent (RFC 6749
 * 3.1).
 */
export function required(parameters: OAuthParameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '') throw refusal.missing(name);
  return value;
}
