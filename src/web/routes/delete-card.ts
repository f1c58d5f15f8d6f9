import { html, type Html } from '../../api/reference/html.js';
import type { Visit } from '../visit.js';

/** The consequence of deleting an app. */
export const DELETES_APP =
  'Its keys and all tokens issued for it stop working at once. This cannot be undone.';

/** Returns the form to delete an app or a user; `path` is the page of the object. */
export function deleteCard(visit: Visit, name: string, path: string, consequence: string): Html {
  return html`<div class="card">
    <h2>Delete</h2>
    <details>
      <summary class="danger">Delete ${name}</summary>
      <form method="post" action="${path}/delete">
        <p>${consequence}</p>
        ${visit.csrfField()}
        <button class="danger">Yes, delete it</button>
      </form>
    </details>
  </div>`;
}
