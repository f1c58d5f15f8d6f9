import { PipitError, type UnauthorizedReason } from '../core/errors.js';

/**
 * A 401 (docs/api/errors.md#problems). The client learns only that its credentials are bad; `message` tells the log why and
 * holds no credential. `reason` is for the v1.1 codes.
 */
export function unauthorized(message: string, reason?: UnauthorizedReason): PipitError {
  return new PipitError({ code: 'unauthorized', reason }, { message });
}
