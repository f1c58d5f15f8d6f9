import { html } from '../../../api/reference/html.js';
import { PROFILE_LIMITS } from '../../../core/limits.js';
import { changeProfile } from '../../../services/accounts/settings.js';
import { boundFields } from '../../forms.js';
import type { SignedInVisit } from '../../visit.js';
import { accountForm, PATHS } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

/** The profile form. */
export const profileRoutes: CreateRoutes = (pages, { accounts }) =>
  accountForm(pages, {
    path: PATHS.profile,
    title: 'Profile',
    done: { saved: 'Your profile was saved.' },
    body: (visit, notes, faults, form) => {
      const { text, area } = boundFields(form ? readProfile(form) : profileOf(visit), faults);
      return html`<p class="lead">What others see of @${visit.viewer.user.username}.</p>
        ${notes}
        <form class="card" method="post" action="${PATHS.profile}">
          ${visit.csrfField()} ${text('name', 'Name', { autocomplete: 'name', required: true })}
          ${area('description', 'About you', { hint: `At most ${PROFILE_LIMITS.description} characters.` })}
          ${text('location', 'Location')}
          ${text('url', 'Website', { type: 'url', hint: 'Starts with https:// or http://.', autocomplete: 'url' })}
          <div class="actions"><button>Save</button></div>
        </form>`;
    },
    submit: async ({ form, viewer }) => {
      await changeProfile(accounts, viewer.user, readProfile(form));
      return 'saved';
    },
  });

function profileOf({ viewer }: SignedInVisit) {
  const { name, description, location = '', url = '' } = viewer.user;
  return { name, description, location, url };
}

function readProfile(form: URLSearchParams) {
  const field = (key: string) => (form.get(key) ?? '').trim();
  return {
    name: field('name'),
    description: field('description').replaceAll(/\r\n?/g, '\n'),
    location: field('location'),
    url: field('url'),
  };
}
