import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '../auth/oauth1/signature.js';

/** The name of the field that every form carries. */
export const CSRF_FIELD = 'csrf';

/**
 * What a form carries to show that it comes from a page of ours: made of the secret in the browser's cookie, which other
 * sites can neither read nor learn from it. A form that goes with another cookie does not fit.
 */
export function csrfTokenOf(cookieSecret: string): string {
  return createHmac('sha256', cookieSecret).update('pipit form v1').digest('base64url');
}

/** True when `given` is what a form of the browser with this secret carries. */
export function isCsrfToken(given: string, cookieSecret: string | undefined): boolean {
  return cookieSecret !== undefined && equalsInConstantTime(given, csrfTokenOf(cookieSecret));
}
