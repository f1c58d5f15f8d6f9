import { html, type Html } from '../../../api/reference/html.js';
import { PROFILE_LIMITS } from '../../../core/limits.js';
import { changeProfile } from '../../../services/accounts/settings.js';
import { boundFields, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import type { Faults } from '../../fields.js';
import type { SignedInVisit } from '../../visit.js';
import { accountForm, accountPage, PATHS } from './account-section.js';
import { pictureForms, pictureRoutes, PICTURES_DONE, type RefusedPicture } from './profile-pictures.js';
import type { CreateRoutes } from '../../web-context.js';

const TITLE = 'Profile';

/** The forms for the texts and the pictures of a profile. */
export const profileRoutes: CreateRoutes = (pages, { accounts }) => [
  ...accountForm(pages, {
    path: PATHS.profile,
    title: TITLE,
    done: { saved: 'Your profile was saved.', ...PICTURES_DONE },
    body: (visit, notes, faults, form) => profileForms(visit, notes, { faults, form }),
    submit: async ({ form, viewer }) => {
      await changeProfile(accounts, viewer.user, readProfile(form));
      return 'saved';
    },
  }),
  ...pictureRoutes(pages, async (visit, faults, refused) => {
    const page = { title: TITLE, current: PATHS.profile, status: statusOf(faults) };
    return accountPage(
      visit,
      page,
      profileForms(visit, html`${faultNote(faults)}`, { faults: NO_FAULTS, refused }),
    );
  }),
];

interface Sent {
  /** The faults of the texts. */
  readonly faults: Faults;
  /** The texts, if they have faults. */
  readonly form?: URLSearchParams;
  readonly refused?: RefusedPicture;
}

function profileForms(visit: SignedInVisit, notes: Html, { faults, form, refused }: Sent): Html {
  const { text, area } = boundFields(form ? readProfile(form) : profileOf(visit), faults);
  return html`<p class="lead">What others see of @${visit.viewer.user.username}.</p>
    ${notes}
    <form class="card" method="post" action="${PATHS.profile}">
      ${visit.csrfField()} ${text('name', 'Name', { autocomplete: 'name', required: true })}
      ${area('description', 'About you', { hint: `At most ${PROFILE_LIMITS.description} characters.` })}
      ${text('location', 'Location')}
      ${text('url', 'Website', { type: 'url', hint: 'Starts with https:// or http://.', autocomplete: 'url' })}
      <div class="actions"><button>Save</button></div>
    </form>
    ${pictureForms(visit, refused)}`;
}

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
