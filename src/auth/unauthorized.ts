import { PipitError, type UnauthorizedReason } from '../core/errors.js';

/**
 * A 401 (reference/errors.md 1.3). The client learns only that its credentials are bad; `message` tells the log why and
 * holds no credential. `reason` is for the v1.1 codes.
 */
export function unauthorized(message: string, reason?: UnauthorizedReason): PipitError {
  return new PipitError({ code: 'unauthorized', reason }, { message });
}
