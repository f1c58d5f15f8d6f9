import { html, type Html } from '../../../api/reference/html.js';
import { ownPath } from '../../own-path.js';
import type { FormVisit, SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { idInPath } from '../../id-in-path.js';
import { listName, listPath, type FoundList } from './list-objects.js';

/** What a user does with a List: the operations that do it and take it back. */
const TIES = {
  follow: ['listUserFollow', 'listUserUnfollow'],
  pin: ['listUserPin', 'listUserUnpin'],
} as const;

type Tie = keyof typeof TIES;

/** `/i/lists/{id}/follow` and `pin`: the buttons of Lists; `on=no` takes it back. */
export const listButtonRoutes: CreateRoutes = (pages) =>
  Object.entries(TIES).map(([tie, [on, off]]) =>
    pages.acceptFromUser(listPath('{id}', tie), async (visit) => {
      const list_id = idInPath(visit);
      await visit.api.call(isOff(visit) ? off : on, { id: String(visit.viewer.user.id), list_id });
      return visit.goTo(backOf(visit) ?? listPath(list_id));
    }),
  );

/** Reports whether a form takes something back. */
export function isOff({ form }: FormVisit): boolean {
  return form.get('on') === 'no';
}

/** Returns the page of this server that a form leads back to. */
export function backOf({ form }: FormVisit): string | undefined {
  return ownPath(form.get('back'));
}

/** Returns the buttons of a List for a signed-in viewer: follow, pin, edit. */
export function listButtons(visit: Visit, found: FoundList): Html | undefined {
  const { list, state, isOwn } = found;
  if (!state) return undefined;
  const { following, pinned } = state;
  return html`<div class="relations">
    ${isOwn && html`<a class="button plain small" href="${listPath(list.id, 'edit')}">Edit</a>`}
    ${!isOwn && tieButton(visit, found, 'follow', following, following ? 'Unfollow' : 'Follow')}
    ${tieButton(visit, found, 'pin', pinned, pinned ? 'Unpin' : 'Pin to home')}
  </div>`;
}

/** Returns the button that unpins a List. */
export function unpinButton(visit: SignedInVisit, found: FoundList): Html {
  return tieButton(visit, found, 'pin', true, 'Unpin');
}

function tieButton(visit: Visit, { list }: FoundList, tie: Tie, isOn: boolean, label: string): Html {
  return html`<form method="post" action="${listPath(list.id, tie)}">
    ${visit.csrfField()} <input type="hidden" name="back" value="${visit.request.url}" />
    <button
      class="${!isOn && tie === 'follow' ? '' : 'plain'} small"
      name="on"
      value="${isOn ? 'no' : 'yes'}"
    >
      ${label}<span class="hidden"> ${listName(list)}</span>
    </button>
  </form>`;
}
