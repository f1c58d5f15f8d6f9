import { html, type Html } from '../../../api/reference/html.js';
import { note } from '../../fields.js';

/** Returns a list of secrets that are shown once, by label; undefined ones are omitted. */
export function secretList(secrets: Readonly<Record<string, string | undefined>>): Html {
  const present = Object.entries(secrets).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return html`${note('good', 'Copy this now. It is shown only once.')}
    <dl class="secrets">
      ${present.map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd><code class="secret">${value}</code></dd>`,
      )}
    </dl>`;
}
