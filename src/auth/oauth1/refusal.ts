/**
 * An error of an OAuth 1.0a or app-only endpoint with its own code (docs/api/errors.md#v11-errors); all of it is
 * sent.
 */
export class CodedRefusal extends Error {
  override readonly name = 'CodedRefusal';

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
