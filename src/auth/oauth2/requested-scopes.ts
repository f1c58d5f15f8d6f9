import { isScope, type Scope } from '../../core/scope.js';
import { OAuthError } from './oauth-error.js';
import { required, type OAuthParameters } from './parameters.js';

/**
 * Returns the distinct scopes that an app requests (docs/api/authentication.md#scopes). Throws
 * `invalid_scope` for an unknown one.
 */
export function readScopes(parameters: OAuthParameters): readonly Scope[] {
  const names = [...new Set(required(parameters, 'scope').split(/[ +]+/))].filter((name) => name !== '');
  const scopes = names.filter(isScope);
  if (scopes.length < names.length || scopes.length === 0) {
    throw new OAuthError('invalid_scope', 'Value passed for the scope holds an unknown scope.');
  }
  return scopes;
}
