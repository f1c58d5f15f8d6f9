import { invalidRequest } from '../../core/errors.js';
import { MAX_OPERATOR_TEXT } from '../../core/limits.js';
import { countCodePoints } from '../../core/unicode.js';

/** Returns a reason or note of an operator without blank ends. Throws `invalid-request` if it is too long. */
export function operatorText(name: string, text: string): string {
  const written = text.trim();
  if (countCodePoints(written) <= MAX_OPERATOR_TEXT) return written;
  throw invalidRequest(name, [text], `Write at most ${MAX_OPERATOR_TEXT} characters.`);
}

/** Does the same, and throws `invalid-request` for an empty text. */
export function requiredOperatorText(name: string, text: string): string {
  const written = operatorText(name, text);
  if (written === '') throw invalidRequest(name, [text], 'Write something.');
  return written;
}
