import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '../auth/oauth1/signature.js';

/** The name of the hidden field in every form. */
export const CSRF_FIELD = 'csrf';

/**
 * Returns the CSRF token of a form, derived from the secret in the browser's cookie. Other sites can neither read the
 * cookie nor derive it from the token.
 */
export function csrfTokenOf(cookieSecret: string): string {
  return createHmac('sha256', cookieSecret).update('pipit form v1').digest('base64url');
}

/** Reports whether `given` is the CSRF token for this secret. */
export function isCsrfToken(given: string, cookieSecret: string | undefined): boolean {
  return cookieSecret !== undefined && equalsInConstantTime(given, csrfTokenOf(cookieSecret));
}
