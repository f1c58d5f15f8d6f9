import { html, type Html } from '../api/reference/html.js';
import { numberText } from './numbers.js';

/** Returns a count with its noun, such as **1,204** posts. */
export function counted(count: number, one: string, several: string): Html {
  return html`<strong>${numberText(count)}</strong> ${count === 1 ? one : several}`;
}
