import { html, type Html } from '../../../api/reference/html.js';
import type { Answer } from '../../../http/answer.js';
import { USER_SELECTION } from '../../api/fields.js';
import { idInPath } from '../../id-in-path.js';
import { ACCOUNT_PATH } from '../../navigation.js';
import { ownPath } from '../../own-path.js';
import { partAnswer, wantsPart } from '../../part-answer.js';
import { followButton } from '../../posts/follow-button.js';
import { reportPath } from '../../posts/paths.js';
import { shownName } from '../../shown-name.js';
import type { WireUser } from '../../api/objects.js';
import { searchPath } from '../search-over-time.js';
import { addToListsPath } from '../lists/add-to-lists.js';
import { isSignedIn, type FormVisit, type SignedInVisit, type Visit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';

/** What a user does about another one: the operations that do it and take it back. */
const RELATIONS = {
  follow: ['usersIdFollow', 'usersIdUnfollow', 'source_user_id'],
  mute: ['usersIdMute', 'usersIdUnmute', 'source_user_id'],
  block: ['usersIdBlock', 'usersIdUnblock', 'source_user_id'],
} as const;

type RelationName = keyof typeof RELATIONS;

const pathOf = (id: string, relation: string): string => `/i/users/${id}/${relation}`;

/** The relation of a follower to the user, which only ends. */
const FOLLOWER = 'follower';

/**
 * `/i/users/{id}/follow`, `mute` and `block`: the buttons of profiles; `on=no` takes the relation back. `follower` makes
 * a follower follow no longer.
 */
export const profileActionRoutes: CreateRoutes = (pages) => [
  ...Object.entries(RELATIONS).map(([relation, [on, off, source]]) =>
    pages.acceptFromUser(pathOf('{id}', relation), async (visit) => {
      const target = idInPath(visit);
      const viewerId = String(visit.viewer.user.id);
      const isOff = visit.form.get('on') === 'no';
      await visit.api.call(
        isOff ? off : on,
        isOff ? { [source]: viewerId, target_user_id: target } : { id: viewerId, target_user_id: target },
      );
      return actedOn(visit, target);
    }),
  ),
  pages.acceptFromUser(pathOf('{id}', FOLLOWER), async (visit) => {
    const target = idInPath(visit);
    await visit.api.call('removeFollower', { id: target });
    return actedOn(visit, target);
  }),
];

/** Answers with the button to follow as it is now for the script, which asks for it, or a redirect back to the page. */
async function actedOn(visit: SignedInVisit<FormVisit>, id: string): Promise<Answer> {
  if (!wantsPart(visit, 'follow')) return visit.goTo(ownPath(visit.form.get('back')) ?? `/i/user/${id}`);
  const { data } = await visit.api.call<WireUser>('findUserById', { id, ...USER_SELECTION });
  return partAnswer('follow', data ? followButton(data) : html``);
}

/** Returns the buttons of a profile: of another user, what to do about them. */
export function profileActions(visit: Visit, user: WireUser): Html | undefined {
  if (!isSignedIn(visit)) return undefined;
  if (user.id === String(visit.viewer.user.id))
    return html`<div class="relations">
      <a class="button plain small" href="${ACCOUNT_PATH}">Edit profile</a>
    </div>`;
  const statuses = new Set(user.connection_status ?? []);
  const button = (relation: RelationName | typeof FOLLOWER, isOn: boolean, label: string, style = 'plain') =>
    html`<form method="post" action="${pathOf(user.id, relation)}">
      ${visit.csrfField()}
      <button class="${style} small" name="on" value="${isOn ? 'no' : 'yes'}">
        ${label}<span class="hidden"> ${shownName(user)}</span>
      </button>
    </form>`;
  const follows = statuses.has('followed_by');
  return html`<div class="relations">
    ${followButton(user)}
    ${user.receives_your_dm === true && html`<a class="button plain small" href="/messages/to/${user.username}">Message</a>`}
    <details class="more-acts">
      <summary class="small">More<span class="hidden"> about ${shownName(user)}</span></summary>
      <div>
        <a class="button plain small" href="${addToListsPath(user.id)}">Add to Lists</a>
        <a class="button plain small" href="${searchPath(`from:${user.username}`, {})}">Search posts</a>
        ${button('mute', statuses.has('muting'), statuses.has('muting') ? 'Unmute' : 'Mute')}
        ${follows && button(FOLLOWER, true, 'Remove follower')}
        <a class="button plain small" href="${reportPath('users', user.id)}">Report</a>
        ${button('block', statuses.has('blocking'), statuses.has('blocking') ? 'Unblock' : 'Block', 'danger')}
      </div>
    </details>
  </div>`;
}

const MARKS = { followed_by: 'Follows you', blocking: 'Blocked', muting: 'Muted' } as const;

/** Returns what the viewer should know at once about the relation to a user. */
export function relationMarks({ connection_status: statuses = [] }: WireUser): Html {
  const marks = Object.entries(MARKS).filter(([status]) => statuses.includes(status));
  return html`${marks.map(([, words]) => html` <span class="mark">${words}</span>`)}`;
}
