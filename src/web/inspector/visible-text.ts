import { html, type Html } from '../../api/reference/html.js';

/**
 * Characters that would change the text around them or show nothing: controls except tab and line feed, marks and
 * overrides of the writing direction, separators of lines, and characters without width.
 */
const INVISIBLE =
  /[\0-\x08\v-\x1F\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\p{Cs}]/gu;

/** Returns a text of a client as it can be shown: characters that act on their surroundings are written as escapes. */
export function visibleText(text: string): string {
  return text.replaceAll(INVISIBLE, escapeOf);
}

/** Returns the escape of a character, such as `\u202e`, which JSON, JavaScript and Python read. */
function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** Returns a text of a client in the font of code, isolated from the direction of the text around it. */
export function codeText(text: string): Html {
  return html`<code dir="ltr">${visibleText(text)}</code>`;
}

/** Returns the start of a text, with an ellipsis if it is longer. */
export function clipText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
