import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { WireUser } from '../../api/objects.js';
import { idInPath } from '../../id-in-path.js';
import { profilePath } from '../../posts/paths.js';
import { nextPageLink } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { showPage } from '../posts/public-pages.js';
import { listCards } from './list-card.js';
import { CREATE_LIST_PATH } from './list-form.js';
import {
  LIST_SELECTION,
  listName,
  listPath,
  withStates,
  type FoundList,
  type WireList,
} from './list-objects.js';

/** Returns the path of the page that adds a user to Lists. */
export function addToListsPath(userId: string): string {
  return `/i/users/${userId}/lists`;
}

const LISTS_PER_PAGE = 100;

/** `/i/users/{id}/lists`: the own Lists, each with a button that adds the user to it or removes the user. */
export const addToListsRoutes: CreateRoutes = (pages) => [
  pages.showToUser(addToListsPath('{id}'), showOwnLists),
];

async function showOwnLists(visit: SignedInVisit): Promise<Answer> {
  const { data: user } = await visit.api.call<WireUser>('findUserById', { id: idInPath(visit) });
  if (!user) throw new PipitError({ code: 'route-not-found' });
  const answer = await visit.api.call<WireList[]>('listUserOwnedLists', {
    id: String(visit.viewer.user.id),
    max_results: LISTS_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
    ...LIST_SELECTION,
  });
  const lists = await withStates(visit, answer, user.id);
  const create = `${CREATE_LIST_PATH}?${new URLSearchParams({ back: addToListsPath(user.id) }).toString()}`;
  return showPage(
    visit,
    { title: `Add ${shownName(user)} to Lists`, isPublic: false },
    html`<div class="bar">
        <h1>
          Add <a href="${profilePath(user)}"><bdi>${shownName(user)}</bdi></a> to Lists
        </h1>
        <a class="button plain small" href="${create}">New List</a>
      </div>
      ${listCards(lists, 'You have no Lists yet.', (found) => memberButton(visit, found, user))}
      ${nextPageLink(addToListsPath(user.id), answer.meta?.next_token, 'More Lists')}`,
  );
}

function memberButton(visit: SignedInVisit, { list, state }: FoundList, user: WireUser): Html {
  const isMember = state?.has_member === true;
  return html`<form method="post" action="${listPath(list.id, 'members')}">
    ${visit.csrfField()}
    <input type="hidden" name="user_id" value="${user.id}" />
    <input type="hidden" name="back" value="${visit.request.url}" />
    <button class="${isMember ? 'plain' : ''} small" name="on" value="${isMember ? 'no' : 'yes'}">
      ${isMember ? 'Remove' : 'Add'}<span class="hidden"> ${shownName(user)}: ${listName(list)}</span>
    </button>
  </form>`;
}
