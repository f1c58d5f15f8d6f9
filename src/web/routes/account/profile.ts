import type { Answer } from '../../../http/answer.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html } from '../../../api/reference/html.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import { PROFILE_LIMITS } from '../../../core/limits.js';
import type { ProfileInput } from '../../../services/accounts/account-rules.js';
import { changeProfile } from '../../../services/accounts/settings.js';
import { textArea, textField } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf, type Faults } from '../../forms.js';
import type { PageRoutes } from '../../page-routes.js';
import type { SignedInVisit } from '../../visit.js';
import { accountPage, PATHS } from './account-section.js';

/** The profile form. */
export function profileRoutes(pages: PageRoutes, accounts: AccountDeps): PlainRoute[] {
  return [
    pages.showToUser(PATHS.profile, (visit) => {
      const { name, description, location = '', url = '' } = visit.viewer.user;
      return profilePage(visit, { name, description, location, url }, NO_FAULTS);
    }),
    pages.acceptFromUser(PATHS.profile, async (visit) => {
      const field = (key: string) => (visit.form.get(key) ?? '').trim();
      const input = {
        name: field('name'),
        description: field('description').replaceAll(/\r\n?/g, '\n'),
        location: field('location'),
        url: field('url'),
      };
      const outcome = await attempt(() => changeProfile(accounts, visit.viewer.user, input));
      if (outcome.kind === 'faulty') return profilePage(visit, input, outcome.faults);
      return visit.goTo(doneAt(PATHS.profile, 'saved'));
    }),
  ];
}

function profilePage(visit: SignedInVisit, input: ProfileInput, faults: Faults): Answer {
  return accountPage(
    visit,
    { title: 'Profile', current: PATHS.profile, status: statusOf(faults) },
    html`<p class="lead">What others see of @${visit.viewer.user.username}.</p>
      ${doneNote(visit, { saved: 'Your profile was saved.' })} ${faultNote(faults)}
      <form class="card" method="post" action="${PATHS.profile}">
        ${visit.csrfField()}
        ${textField({
          name: 'name',
          label: 'Name',
          value: input.name,
          fault: faults.get('name'),
          autocomplete: 'name',
          required: true,
        })}
        ${textArea({
          name: 'description',
          label: 'About you',
          value: input.description,
          fault: faults.get('description'),
          hint: `At most ${PROFILE_LIMITS.description} characters.`,
        })}
        ${textField({
          name: 'location',
          label: 'Location',
          value: input.location,
          fault: faults.get('location'),
        })}
        ${textField({
          name: 'url',
          label: 'Website',
          type: 'url',
          value: input.url,
          fault: faults.get('url'),
          hint: 'Starts with https:// or http://.',
          autocomplete: 'url',
        })}
        <div class="actions"><button>Save</button></div>
      </form>`,
  );
}
