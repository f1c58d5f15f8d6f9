import { html, type Html } from '../../api/reference/html.js';
import type { Visit } from '../visit.js';

/** How an app is deleted, by its owner or an operator: `path` is its page, which takes the form below itself. */
export function deleteAppCard(visit: Visit, name: string, path: string): Html {
  return html`<div class="card">
    <h2>Delete</h2>
    <details>
      <summary class="danger">Delete ${name}</summary>
      <form method="post" action="${path}/delete">
        <p>Its keys and the tokens of everybody who allowed it stop working at once and for good.</p>
        ${visit.csrfField()}
        <button class="danger">Yes, delete it</button>
      </form>
    </details>
  </div>`;
}
