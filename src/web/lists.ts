import { html, type Html } from '../api/reference/html.js';
import { note } from './fields.js';

/** An entry of a list: what it is, and what stands beside it, such as a form. */
export interface Entry {
  readonly what: Html;
  readonly aside?: Html | false;
}

/** Returns entries with a rule between them, or `none` if there are none. */
export function entryList<T>(items: readonly T[], entry: (item: T) => Entry, none?: Html): Html | undefined {
  if (items.length === 0) return none;
  return html`<ul class="entries">
    ${items.map(entry).map(
      ({ what, aside }) =>
        html`<li>
          <div class="what">${what}</div>
          ${aside}
        </li>`,
    )}
  </ul>`;
}

/** Returns an entry that links to a page. */
export function linkEntry(path: string, name: string, hint: string): Entry {
  return {
    what: html`<p>
        <a href="${path}"><strong>${name}</strong></a>
      </p>
      <p class="hint">${hint}</p>`,
  };
}

/** Returns a card that links to a page and says what it is for. */
export function linkCard(path: string, title: string, text: string): Html {
  return html`<div class="card">
    <h2><a href="${path}">${title}</a></h2>
    <p>${text}</p>
  </div>`;
}

/** Returns a list of short points. */
export function points(lines: readonly (Html | string)[]): Html {
  return html`<ul class="points">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** Returns a table with a heading above each column. */
export function textTable(headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

type Facts = Readonly<Record<string, Html | string | number | false | undefined>>;

/** Returns facts by label; omits false and undefined ones. */
export function factList(facts: Facts, style = ''): Html {
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return html`<dl class="${style}">
    ${known.map(
      ([label, fact]) =>
        html`<dt>${label}</dt>
          <dd>${fact}</dd>`,
    )}
  </dl>`;
}

/** Returns a text beside which the script puts a button to copy it; without script, a click selects all of it. */
export function copiedCode(text: string, label: string): Html {
  return html`<code class="secret" data-copy="${label}">${text}</code>`;
}

/** Returns secrets by label, which are shown once; omits undefined ones. */
export function secretList(secrets: Readonly<Record<string, string | undefined>>): Html {
  const marked = Object.entries(secrets).map(([label, secret]) => [
    label,
    secret !== undefined && copiedCode(secret, label),
  ]);
  return html`${note('good', 'Copy this now. It is shown only once.')}
  ${factList(Object.fromEntries(marked) as Facts, 'secrets')}`;
}
