import { createHmac, randomBytes } from 'node:crypto';
import { equalsInConstantTime } from '../services/secrets/secrets.js';

/**
 * Returns the CSRF token of a form, derived from the secret in the browser's cookie: other sites can neither read the
 * cookie nor derive it from the token. It is masked with a fresh pad, so that the length of compressed pages says
 * nothing about it (breachattack.com).
 */
export function csrfTokenOf(cookieSecret: string): string {
  const token = tokenOf(cookieSecret);
  const pad = randomBytes(token.length);
  return Buffer.concat([pad, xor(pad, token)]).toString('base64url');
}

/** Reports whether a form's field is a token that `csrfTokenOf` returned for this secret. */
export function isCsrfTokenOf(cookieSecret: string, field: string): boolean {
  const token = tokenOf(cookieSecret);
  const masked = Buffer.from(field, 'base64url');
  if (masked.length !== 2 * token.length) return false;
  const given = xor(masked.subarray(0, token.length), masked.subarray(token.length));
  return equalsInConstantTime(given.toString('base64url'), token.toString('base64url'));
}

function tokenOf(cookieSecret: string): Buffer {
  return createHmac('sha256', cookieSecret).update('pipit form v1').digest();
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}
