import { html, type Html } from '../../api/reference/html.js';
import { MAX_FOLDER_NAME } from '../../core/limits.js';
import { textField, type Faults } from '../fields.js';
import type { SignedInVisit } from '../visit.js';

/** What the form of a folder of bookmarks has. */
export interface FolderForm {
  readonly faults: Faults;
  readonly name: string;
}

/** Returns the form that creates a folder. */
export function newFolderForm(visit: SignedInVisit, path: string, form: FolderForm): Html {
  return nameForm(visit, path, form, { summary: 'New folder', button: 'Create the folder' });
}

/** Returns the forms that rename a folder and delete it. `path` is its page. */
export function folderForms(visit: SignedInVisit, path: string, form: FolderForm): Html {
  return html`<div class="folder-forms">
    ${nameForm(visit, path, form, { summary: 'Rename', button: 'Save the name' })}
    <details class="new-folder">
      <summary class="danger">Delete</summary>
      <form method="post" action="${path}/delete">
        ${visit.csrfField()}
        <p>
          The posts in this folder stay bookmarked, and in their other folders. Only the folder is deleted.
        </p>
        <button class="danger">Yes, delete the folder</button>
      </form>
    </details>
  </div>`;
}

function nameForm(
  visit: SignedInVisit,
  path: string,
  { faults, name }: FolderForm,
  { summary, button }: { readonly summary: string; readonly button: string },
): Html {
  return html`<details class="new-folder" ${faults.size > 0 && html`open`}>
    <summary>${summary}</summary>
    <form method="post" action="${path}">
      ${visit.csrfField()}
      ${textField({
        name: 'name',
        label: 'Name of the folder',
        value: name,
        fault: faults.get('name'),
        maxLength: MAX_FOLDER_NAME,
        required: true,
      })}
      <button>${button}</button>
    </form>
  </details>`;
}
