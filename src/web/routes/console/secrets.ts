import { html, type Html } from '../../../api/reference/html.js';
import { note } from '../../fields.js';

/** Secrets that are told once, by what they are called; undefined ones are left out. */
export function secretList(secrets: Readonly<Record<string, string | undefined>>): Html {
  const told = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return html`${note('good', 'Copy this now: it is shown this once and can be read nowhere later.')}
    <dl class="secrets">
      ${told.map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd><code class="secret">${value}</code></dd>`,
      )}
    </dl>`;
}
