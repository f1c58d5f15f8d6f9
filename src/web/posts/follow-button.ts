import { html, type Html } from '../../api/reference/html.js';
import type { WireUser } from '../api/objects.js';
import { shownName } from '../shown-name.js';
import { ACTION_FORM } from './post-actions.js';

/** Returns the button that follows another user, or takes that back; with script, it acts at once. */
export function followButton(user: WireUser): Html {
  const statuses = new Set(user.connection_status ?? []);
  const isPending = statuses.has('follow_request_sent');
  const follows = isPending || statuses.has('following');
  const label = isPending ? 'Withdraw request' : follows ? 'Unfollow' : 'Follow';
  return html`<button
    class="follow small ${follows && 'plain'}"
    form="${ACTION_FORM}"
    formaction="/i/users/${user.id}/follow"
    name="on"
    value="${follows ? 'no' : 'yes'}"
  >
    ${label}<span class="hidden"> ${shownName(user)}</span>
  </button>`;
}
