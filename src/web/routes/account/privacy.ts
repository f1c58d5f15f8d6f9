import { html } from '../../../api/reference/html.js';
import { RECEIVES_DMS } from '../../../core/user.js';
import { changePrivacy } from '../../../services/accounts/settings.js';
import { checkbox, radios } from '../../fields.js';
import { accountForm, PATHS } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

/** Settings for who may see, tag and message a user. */
export const privacyRoutes: CreateRoutes = (pages, { accounts }) =>
  accountForm(pages, {
    path: PATHS.privacy,
    title: 'Privacy',
    done: { saved: 'Your settings were saved.' },
    body: (visit, notes) => {
      const { user } = visit.viewer;
      return html`${notes}
        <form class="card" method="post" action="${PATHS.privacy}">
          ${visit.csrfField()}
          <fieldset>
            <legend>Your posts</legend>
            ${checkbox({
              name: 'protected',
              label: 'Protect my posts: only followers I accept can see them',
              checked: user.protected,
            })}
            <p class="hint">
              Current followers stay. When you make your account public again, pending follow requests are
              accepted and your earlier posts become visible to everyone.
            </p>
          </fieldset>
          <fieldset>
            <legend>Photos</legend>
            ${checkbox({
              name: 'photo_tagging',
              label: 'Others may tag me in photos',
              checked: user.allowsPhotoTagging,
            })}
          </fieldset>
          ${radios({
            name: 'receives_dms',
            legend: 'Who may send me direct messages',
            choices: { following: 'People I follow', everyone: 'Everyone' },
            chosen: user.receivesDms,
          })}
          <div class="actions"><button>Save</button></div>
        </form>`;
    },
    submit: async ({ form, viewer }) => {
      const receivesDms = RECEIVES_DMS.find((each) => each === form.get('receives_dms'));
      await changePrivacy(accounts, viewer.user, {
        protected: form.has('protected'),
        allowsPhotoTagging: form.has('photo_tagging'),
        receivesDms: receivesDms ?? viewer.user.receivesDms,
      });
      return 'saved';
    },
  });
