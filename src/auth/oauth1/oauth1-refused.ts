import { PipitError, type UnauthorizedReason } from '../../core/errors.js';

/** The refused part of a signed request; `parameters` means its form as a whole. */
export type OAuth1Part =
  'parameters' | 'consumer' | 'token' | 'timestamp' | 'nonce' | 'signature' | 'verifier';

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
