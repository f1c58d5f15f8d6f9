import { NamedError } from '../../core/named-error.js';

/** The codes of RFC 6749 (4.1.2.1, 5.2) that this server returns. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied';

/** An error of an OAuth 2.0 endpoint, which has its own format (docs/api/errors.md#oauth-20-errors). */
export class OAuthError extends NamedError {
  /** `description` is sent to the client. */
  constructor(
    readonly code: OAuthErrorCode,
    readonly description?: string,
    readonly status = 400,
  ) {
    super(description ?? code);
  }
}

/** The texts of X, with the status of each. */
export const refusal = {
  invalidCode: () => valueRefused('authorization code was invalid'),
  invalidToken: () => valueRefused('token was invalid'),
  verifierMismatch: () => valueRefused('code verifier did not match the code challenge'),
  redirectUriMismatch: () => valueRefused('redirect uri did not match the uri of the authorization code'),
  missing: (parameter: string) =>
    new OAuthError('invalid_request', `Missing required parameter [${parameter}].`),
  unknownClient: () => new OAuthError('invalid_client', undefined, 401),
  missingSecret: () => new OAuthError('unauthorized_client', 'Missing valid authorization header', 401),
} as const;

function valueRefused(what: string): OAuthError {
  return new OAuthError('invalid_request', `Value passed for the ${what}.`);
}
