import { INTRODUCTION } from '../../../api/not-implemented/markdown.js';
import {
  MISSING_FEATURES,
  MISSING_OPERATIONS,
  type MissingGroup,
} from '../../../api/not-implemented/operations.js';
import { type Html, html, withCode } from '../../../api/reference/html.js';
import { points, textTable } from '../../lists.js';

/** Returns the operations of the interface that this server does not have. */
export function missingOperationsGuide(): Html {
  return html`<p class="lead">${withCode(INTRODUCTION)}</p>
    ${MISSING_OPERATIONS.map(renderGroup)}
    <h2>In operations that are served</h2>
    ${points(MISSING_FEATURES.map(withCode))}`;
}

function renderGroup({ title, reason, operations }: MissingGroup): Html {
  return html`<h2>${title}</h2>
    <p>${reason}</p>
    ${textTable(
      ['Operation', 'What it does'],
      operations.map(({ method, path, summary }) => [html`<code>${method} ${path}</code>`, summary]),
    )}`;
}
