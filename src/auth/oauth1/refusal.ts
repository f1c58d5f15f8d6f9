import { PipitError, type UnauthorizedReason } from '../../core/errors.js';
import { NamedError } from '../../core/named-error.js';

/** The refused part of a signed request; `parameters` means its form as a whole. */
export type OAuth1Part =
  | 'parameters'
  | 'consumer'
  | 'token'
  | 'timestamp'
  | 'nonce'
  | 'signature'
  | 'verifier';

/** Further details of a refused request for the log. */
export interface OAuth1RefusalDetails {
  /** For the codes of v1.1. */
  readonly reason?: UnauthorizedReason;
  readonly baseString?: string;
}

/**
 * A 401 for a request signed with OAuth 1.0a. The client learns only that its credentials are invalid. `part` and
 * `baseString` are for the log: `baseString` is the expected signed text with the most likely base URL, with secret
 * values replaced and truncated. It is present if `part` is `signature`.
 */
export class OAuth1Refused extends PipitError {
  readonly baseString: string | undefined;

  constructor(
    readonly part: OAuth1Part,
    message: string,
    { reason, baseString }: OAuth1RefusalDetails = {},
  ) {
    super({ code: 'unauthorized', reason }, { message });
    this.baseString = baseString?.slice(0, MAX_LOGGED_LENGTH);
  }
}

/** In characters. */
const MAX_LOGGED_LENGTH = 4096;

/**
 * An error of an OAuth 1.0a or app-only endpoint with its own code (docs/api/errors.md#v11-errors); all of it is
 * sent.
 */
export class CodedRefusal extends NamedError {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly label?: string,
  ) {
    super(message);
  }
}

export const codedRefusal = {
  missing: (parameter: string) => new CodedRefusal(403, 38, `${parameter} parameter is missing.`),
  callback: () =>
    new CodedRefusal(
      403,
      415,
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
    ),
  accessType: () => new CodedRefusal(403, 44, 'x_auth_access_type parameter is invalid.'),
  credentials: () =>
    new CodedRefusal(403, 99, 'Unable to verify your credentials', 'authenticity_token_error'),
  token: () => new CodedRefusal(401, 89, 'Invalid or expired token.'),
  access: () => new CodedRefusal(403, 220, 'Your credentials do not allow access to this resource.'),
} as const;
