import { html } from '../../../api/reference/html.js';
import { parseId, type UserId } from '../../../core/ids.js';
import type { User } from '../../../core/user.js';
import { acceptRequest, denyRequest, pendingFollowers } from '../../../services/relations/follow-requests.js';
import { entryList, type Entry } from '../../lists.js';
import { shownName } from '../../shown-name.js';
import type { Visit } from '../../visit.js';
import { accountForm, PATHS } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

/** The number of requests per page, oldest first; answered requests make room for the next. */
const SHOWN = 50;

/** Pending follow requests of a protected account (docs/api/people.md#follows-blocks-and-mutes). */
export const followRequestRoutes: CreateRoutes = (pages, { accounts }) =>
  accountForm(pages, {
    path: PATHS.followRequests,
    title: 'Follow requests',
    done: {
      accepted: 'Request accepted.',
      denied: 'Request denied. The requester is not notified.',
      gone: 'This request no longer exists.',
    },
    body: async (visit, notes) => {
      const { user } = visit.viewer;
      const waiting = await pendingFollowers(accounts, user.id, SHOWN);
      return html`${notes}
        <p class="lead">
          ${user.protected ? 'Your posts are protected. Only followers you accept can see them.' : PUBLIC_ACCOUNT}
        </p>
        ${entryList(waiting, (from) => entry(visit, from), html`<p>No pending requests.</p>`)}`;
    },
    submit: async ({ form, viewer }) => {
      const from = parseId<UserId>(form.get('user') ?? '');
      const isAccepted = form.get('answer') === 'accept';
      const answer = isAccepted ? acceptRequest : denyRequest;
      if (from === undefined || !(await answer(accounts, from, viewer.user.id))) return 'gone';
      return isAccepted ? 'accepted' : 'denied';
    },
  });

const PUBLIC_ACCOUNT = 'Your account is public. Anyone can follow you without a request.';

function entry(visit: Visit, user: User): Entry {
  const { id, username } = user;
  return {
    what: html`<strong><bdi>${shownName(user)}</bdi></strong> <span class="lead">@${username}</span>`,
    aside: html`<form method="post" action="${PATHS.followRequests}">
      ${visit.csrfField()}
      <input type="hidden" name="user" value="${String(id)}" />
      <button name="answer" value="accept">Accept<span class="hidden"> @${username}</span></button>
      <button class="plain" name="answer" value="deny">Deny<span class="hidden"> @${username}</span></button>
    </form>`,
  };
}
