import { html, type Html } from '../../api/reference/html.js';
import type { Nearest } from '../../journal/nearest.js';
import { clipText, codeText } from './visible-text.js';

const MAX_SHOWN = 200;

/** Returns what would have been accepted in the place of what was sent. */
export function nearestList(nearest: readonly Nearest[]): Html {
  return html`<h3>Nearest that is accepted</h3>
    <ul class="points">
      ${nearest.map(
        ({ kind, sent, accepted }) =>
          html`<li>
            ${kind}:
            ${sent !== undefined && html`${codeText(clipText(sent, MAX_SHOWN))} → `}${accepted.map(
              (each, index) => html`${index > 0 && ', '}${codeText(each)}`,
            )}
          </li>`,
      )}
    </ul>`;
}
