import { html, type Html } from '../api/reference/html.js';

/** Returns a count with its noun, such as **1,204** posts. */
export function counted(count: number, one: string, several: string): Html {
  return html`<strong>${countText(count)}</strong> ${count === 1 ? one : several}`;
}

/** Created at its first use, like other formats of Intl. */
let format: Intl.NumberFormat | undefined;

/** Formats a count in full, such as `1,204`. */
function countText(count: number): string {
  format ??= new Intl.NumberFormat('en');
  return format.format(count);
}
