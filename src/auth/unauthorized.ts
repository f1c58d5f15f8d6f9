import { PipitError, type UnauthorizedReason } from '../core/errors.js';

/**
 * Creates a 401 (docs/api/errors.md#problems). The client learns only that its credentials are invalid;
 * `message` gives the reason for the log and contains no credentials. `reason` is for the v1.1 codes.
 */
export function unauthorized(message: string, reason?: UnauthorizedReason): PipitError {
  return new PipitError({ code: 'unauthorized', reason }, { message });
}
