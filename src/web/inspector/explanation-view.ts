import { html, type Html } from '../../api/reference/html.js';
import type { Comparison } from '../../core/explanation.js';
import type { Nearest } from '../../journal/nearest.js';
import type { Refusal } from '../../journal/refusal.js';
import { points } from '../lists.js';
import { type Piece, textDifference } from '../text-difference.js';
import { clipText, codeText, visibleText } from './visible-text.js';

/** Returns the card that says why a request was refused. */
export function refusalCard(refusal: Refusal): Html {
  const { reason, detail, explanation, nearest = [] } = refusal;
  return html`<div class="card full refusal">
    <h2>Why it was refused</h2>
    ${
      explanation
        ? html`<p class="cause"><strong>${visibleText(explanation.summary)}</strong></p>`
        : html`<p class="cause">${codeText(detail ?? reason)}</p>`
    }
    ${explanation?.compared?.map(comparison)}
    ${explanation?.hints && explanation.hints.length > 0 && points(explanation.hints.map(visibleText))}
    ${nearest.length > 0 && nearestList(nearest)}
    <p class="hint">
      ${explanation && html`Step: ${explanation.step} · `}Reason:
      ${codeText(reason)}${explanation && detail !== undefined && html` · ${codeText(detail)}`}
    </p>
  </div>`;
}

function comparison({ what, client, server }: Comparison): Html {
  const [ofClient, ofServer] =
    client === undefined ? [undefined, [same(server)]] : textDifference(client, server);
  return html`<h3>${what}</h3>
    <div class="compared">
      ${ofClient && side('From the client', ofClient)} ${side('On this server', ofServer)}
    </div>`;
}

function same(text: string): Piece {
  return { text, isDifferent: false };
}

function side(label: string, pieces: readonly Piece[]): Html {
  const shown = pieces.map(({ text, isDifferent }) =>
    isDifferent ? html`<mark>${visibleText(text)}</mark>` : visibleText(text),
  );
  return html`<figure>
    <figcaption>${label}</figcaption>
    <pre dir="ltr">${shown.length > 0 ? shown : html`<em>nothing</em>`}</pre>
  </figure>`;
}

/** Returns what would have been accepted in the place of what was sent. */
function nearestList(nearest: readonly Nearest[]): Html {
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

const MAX_SHOWN = 200;
