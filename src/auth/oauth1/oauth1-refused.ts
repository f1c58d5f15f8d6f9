import { PipitError, type UnauthorizedReason } from '../../core/errors.js';

/** The part of a signed request that was refused; `parameters` is its form as a whole. */
export type OAuth1Part =
  'parameters' | 'consumer' | 'token' | 'timestamp' | 'nonce' | 'signature' | 'verifier';

/** What the log learns of a refused request beside the part. */
export interface OAuth1RefusalDetails {
  /** For the codes of v1.1. */
  readonly reason?: UnauthorizedReason;
  readonly baseString?: string;
}

/**
 * A 401 of a request that is signed by OAuth 1.0a. The client learns only that its credentials are bad. `part` and
 * `baseString` are for the log: `baseString` is the text whose signature was expected, with the base URL that is most
 * likely, secret values replaced and its length limited. It is present when `part` is `signature`.
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
