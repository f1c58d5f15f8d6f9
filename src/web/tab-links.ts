import { html, type Html } from '../api/reference/html.js';

/** A page among several that show the same object or list in different ways. */
export interface TabLink {
  readonly path: string;
  readonly label: Html | string;
}

/** Returns links to pages as tabs; `current` is the path of the one that is shown. */
export function tabLinks(label: string, tabs: readonly TabLink[], current: string): Html {
  return html`<nav class="kinds" aria-label="${label}">
    ${tabs.map(
      (tab) =>
        html`<a href="${tab.path}" ${tab.path === current && html`aria-current="page"`}>${tab.label}</a>`,
    )}
  </nav>`;
}
