import { html, type Html } from '../../api/reference/html.js';
import type { Visit } from '../visit.js';

/** Returns the form to delete an app, for its owner and for operators; `path` is the app's page. */
export function deleteAppCard(visit: Visit, name: string, path: string): Html {
  return html`<div class="card">
    <h2>Delete</h2>
    <details>
      <summary class="danger">Delete ${name}</summary>
      <form method="post" action="${path}/delete">
        <p>Its keys and all tokens issued for it stop working at once. This cannot be undone.</p>
        ${visit.csrfField()}
        <button class="danger">Yes, delete it</button>
      </form>
    </details>
  </div>`;
}
