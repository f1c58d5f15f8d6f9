import { html, type Html } from '../../../api/reference/html.js';
import type { WireUser } from '../../api/objects.js';
import { ACTION_FORM } from '../../posts/post-actions.js';
import { listPeople } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import type { CreateRoutes } from '../../web-context.js';
import { accountPage, PATHS } from './account-section.js';

/** The lists of people whom the user keeps away: their operations, relations and words. */
const LISTS = {
  blocked: {
    title: 'Blocked people',
    lead: 'They do not see your posts while they are signed in, and cannot follow, answer or write to you. They are not notified.',
    none: 'You block nobody.',
    operation: 'usersIdBlocking',
    relation: 'block',
    end: 'Unblock',
  },
  muted: {
    title: 'Muted people',
    lead: 'You do not see their posts in your home timeline, nor notifications from them. They are not notified.',
    none: 'You mute nobody.',
    operation: 'usersIdMuting',
    relation: 'mute',
    end: 'Unmute',
  },
} as const;

/** The people whom the user blocks, and those whom the user mutes. */
export const hiddenPeopleRoutes: CreateRoutes = (pages, context) =>
  (['blocked', 'muted'] as const).map((name) =>
    pages.showToUser(PATHS[name], async (visit) => {
      const { title, lead, none, operation, relation, end } = LISTS[name];
      const aside = (user: WireUser): Html =>
        html`<button
          class="plain small"
          form="${ACTION_FORM}"
          formaction="/i/users/${user.id}/${relation}"
          name="on"
          value="no"
        >
          ${end}<span class="hidden"> ${shownName(user)}</span>
        </button>`;
      return accountPage(
        visit,
        { title, current: PATHS[name] },
        html`<p class="lead">${lead}</p>
          ${await listPeople(visit, context, operation, String(visit.viewer.user.id), { path: PATHS[name], label: title, none, aside })}`,
      );
    }),
  );
