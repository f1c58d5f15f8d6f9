import { html, type Html } from '../../../api/reference/html.js';
import { PERMISSIONS } from '../../../core/access.js';
import { APP_LIMITS } from '../../../core/limits.js';
import type { NewOwnApp } from '../../../services/apps/own-apps.js';
import { PERMISSION_WORDS } from '../../scope-words.js';
import { radios, type Faults } from '../../fields.js';
import { boundFields } from '../../forms.js';

/** Reads the form of an app. */
export function readAppForm(form: URLSearchParams): NewOwnApp {
  const lines = (form.get('redirect_uris') ?? '').split(/\r?\n/).map((line) => line.trim());
  return {
    name: (form.get('name') ?? '').trim(),
    permissions: PERMISSIONS.find((each) => each === form.get('permissions')) ?? 'read',
    redirectUris: lines.filter((line) => line !== ''),
    description: (form.get('description') ?? '').trim(),
    website: (form.get('website') ?? '').trim(),
    confidential: form.get('type') !== 'public',
  };
}

/** Returns the form fields of an app, for creating and for editing. */
export function appFields(app: NewOwnApp, faults: Faults): Html {
  const { name, description, website } = app;
  const values = { name, description, website, redirect_uris: app.redirectUris.join('\n') };
  const { text, area } = boundFields(values, faults);
  return html`${text('name', 'Name', {
    hint: 'Shown to users when they authorize the app.',
    required: true,
    maxLength: APP_LIMITS.name,
  })}
  ${text('description', 'Description', {
    hint: 'One sentence about the app, shown to users when they authorize it.',
    maxLength: APP_LIMITS.description,
  })}
  ${text('website', 'Website', { type: 'url' })}
  ${radios({
    name: 'permissions',
    legend: 'Permissions',
    choices: PERMISSION_WORDS,
    chosen: app.permissions,
  })}
  ${radios({
    name: 'type',
    legend: 'Type of app',
    choices: {
      confidential: 'Confidential client: runs on a server and can keep a client secret',
      public: 'Public client: runs in a browser or on a phone and cannot keep a secret',
    },
    chosen: app.confidential ? 'confidential' : 'public',
  })}
  ${area('redirect_uris', 'Redirect URIs', {
    hint: 'Where users return after they authorize the app. One per line, at most ten. They must match exactly.',
  })}`;
}
