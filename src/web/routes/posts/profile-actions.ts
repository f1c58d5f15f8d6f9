import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import { reportPath } from '../../posts/paths.js';
import { ownPath } from '../../own-path.js';
import { shownName } from '../../shown-name.js';
import type { WireUser } from '../../api/objects.js';
import { addToListsPath } from '../lists/add-to-lists.js';
import { isSignedIn, type Visit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';

/** What a user does about another one: the operations that do it and take it back. */
const RELATIONS = {
  follow: ['usersIdFollow', 'usersIdUnfollow', 'source_user_id'],
  mute: ['usersIdMute', 'usersIdUnmute', 'source_user_id'],
  block: ['usersIdBlock', 'usersIdUnblock', 'source_user_id'],
} as const;

type RelationName = keyof typeof RELATIONS;

const pathOf = (id: string, relation: string): string => `/i/users/${id}/${relation}`;

/** `/i/users/{id}/follow`, `mute` and `block`: the buttons of profiles; `on=no` takes the relation back. */
export const profileActionRoutes: CreateRoutes = (pages) =>
  Object.entries(RELATIONS).map(([relation, [on, off, source]]) =>
    pages.acceptFromUser(pathOf('{id}', relation), async (visit) => {
      const target = parseId(visit.request.path['id'] ?? '')?.toString();
      if (target === undefined) throw new PipitError({ code: 'route-not-found' });
      const viewerId = String(visit.viewer.user.id);
      const isOff = visit.form.get('on') === 'no';
      await visit.api.call(
        isOff ? off : on,
        isOff ? { [source]: viewerId, target_user_id: target } : { id: viewerId, target_user_id: target },
      );
      return visit.goTo(ownPath(visit.form.get('back')) ?? `/i/user/${target}`);
    }),
  );

/** Returns the buttons of another user's profile. */
export function profileActions(visit: Visit, user: WireUser): Html | undefined {
  if (!isSignedIn(visit) || user.id === String(visit.viewer.user.id)) return undefined;
  const statuses = new Set(user.connection_status ?? []);
  const isPending = statuses.has('follow_request_sent');
  const follows = statuses.has('following') || isPending;
  const button = (relation: RelationName, isOn: boolean, label: string, style: string): Html =>
    html`<form method="post" action="${pathOf(user.id, relation)}">
      ${visit.csrfField()}
      <button class="${style} small" name="on" value="${isOn ? 'no' : 'yes'}">
        ${label}<span class="hidden"> ${shownName(user)}</span>
      </button>
    </form>`;
  const followLabel = isPending ? 'Withdraw request' : follows ? 'Unfollow' : 'Follow';
  return html`<div class="relations">
    ${user.receives_your_dm === true && html`<a class="button plain small" href="/messages/to/${user.username}">Message</a>`}
    ${statuses.has('followed_by') && html`<span class="mark">Follows you</span>`}
    ${button('follow', follows, followLabel, follows ? 'plain' : '')}
    <a class="button plain small" href="${addToListsPath(user.id)}">Add to Lists</a>
    ${button('mute', statuses.has('muting'), statuses.has('muting') ? 'Unmute' : 'Mute', 'plain')}
    <a class="button plain small" href="${reportPath('users', user.id)}">Report</a>
    ${button('block', statuses.has('blocking'), statuses.has('blocking') ? 'Unblock' : 'Block', 'danger')}
  </div>`;
}
