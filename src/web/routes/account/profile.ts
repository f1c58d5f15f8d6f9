import { html } from '../../../api/reference/html.js';
import type { Answer } from '../../../http/answer.js';
import { PROFILE_LIMITS } from '../../../core/limits.js';
import { changeProfile } from '../../../services/accounts/settings.js';
import { boundFields, doneAt, doneNote, faultsIn, NO_FAULTS, partFaultNote, statusOf } from '../../forms.js';
import type { Faults } from '../../fields.js';
import type { SignedInVisit } from '../../visit.js';
import { accountPage, PATHS } from './account-section.js';
import { changePictures, pictureFields } from './profile-pictures.js';
import type { CreateRoutes } from '../../web-context.js';

const DONE = { saved: 'Your profile was saved.' } as const;

/** The form for the texts and the pictures of a profile. A refused part leaves what was typed in the others. */
export const profileRoutes: CreateRoutes = (pages, { accounts }) => [
  pages.showToUser(PATHS.profile, (visit) => showForm(visit, NO_FAULTS)),
  pages.acceptFilesFromUser(PATHS.profile, async (visit) => {
    const { form, viewer } = visit;
    const faults = new Map([
      ...(await faultsIn(() => changeProfile(accounts, viewer.user, readProfile(form)))),
      ...(await changePictures(visit)),
    ]);
    if (faults.size > 0) return showForm(visit, faults, form);
    return visit.goTo(doneAt(PATHS.profile, 'saved'));
  }),
];

function showForm(visit: SignedInVisit, faults: Faults, form?: URLSearchParams): Answer {
  const { text, area } = boundFields(form ? readProfile(form) : profileOf(visit), faults);
  return accountPage(
    visit,
    { title: 'Profile', current: PATHS.profile, status: statusOf(faults) },
    html`<p class="lead">What others see of @${visit.viewer.user.username}.</p>
      ${doneNote(visit, DONE)} ${partFaultNote(faults)}
      <form class="card" method="post" action="${PATHS.profile}" enctype="multipart/form-data">
        ${visit.csrfField()} ${text('name', 'Name', { autocomplete: 'name', required: true })}
        ${area('description', 'About you', { hint: `At most ${PROFILE_LIMITS.description} characters.` })}
        ${text('location', 'Location')}
        ${text('url', 'Website', { type: 'url', hint: 'Starts with https:// or http://.', autocomplete: 'url' })}
        ${pictureFields(visit, faults)}
        <div class="actions"><button>Save</button></div>
      </form>`,
  );
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
