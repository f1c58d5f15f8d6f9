import { html, type Html } from '../../../api/reference/html.js';
import { PERMISSIONS } from '../../../core/access.js';
import { APP_LIMITS } from '../../../core/limits.js';
import type { NewOwnApp } from '../../../services/apps/own-apps.js';
import { PERMISSION_WORDS } from '../../access-words.js';
import { radios, textArea, textField } from '../../fields.js';
import type { Faults } from '../../forms.js';

/** What the form of an app says. */
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

/** The fields of an app, as it is made and as it is changed. */
export function appFields(app: NewOwnApp, faults: Faults): Html {
  return html`${textField({
    name: 'name',
    label: 'Name',
    value: app.name,
    hint: 'People see it when they are asked to let the app use their account.',
    fault: faults.get('name'),
    required: true,
    maxLength: APP_LIMITS.name,
  })}
  ${textField({
    name: 'description',
    label: 'Description',
    value: app.description,
    hint: 'What it is for, in a sentence. People see it likewise.',
    fault: faults.get('description'),
    maxLength: APP_LIMITS.description,
  })}
  ${textField({
    name: 'website',
    label: 'Website',
    type: 'url',
    value: app.website,
    fault: faults.get('website'),
  })}
  ${radios({
    name: 'permissions',
    legend: 'What it may do for people',
    choices: PERMISSIONS.map((value) => ({ value, label: PERMISSION_WORDS[value] })),
    chosen: app.permissions,
  })}
  ${radios({
    name: 'type',
    legend: 'Where it runs',
    choices: [
      { value: 'confidential', label: 'On a server or as a bot, where it can keep a client secret' },
      { value: 'public', label: 'In a browser or on a phone, where it cannot (a public client)' },
    ],
    chosen: app.confidential ? 'confidential' : 'public',
  })}
  ${textArea({
    name: 'redirect_uris',
    label: 'Redirect URIs',
    value: app.redirectUris.join('\n'),
    hint: 'Where people go back to after they allowed the app: one a line, at most ten, compared to the letter.',
    fault: faults.get('redirect_uris'),
  })}`;
}
