import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { WireUser } from '../../api/objects.js';
import { doneNote } from '../../forms.js';
import { profilePath } from '../../posts/paths.js';
import { nextPageLink } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import { tabLinks } from '../../tab-links.js';
import { isSignedIn, type SignedInVisit, type Visit } from '../../visit.js';
import { showPage } from '../posts/public-pages.js';
import { findProfile } from '../profiles/find-profile.js';
import { unpinButton } from './list-buttons.js';
import { listCards } from './list-card.js';
import { CREATE_LIST_PATH } from './list-form.js';
import { LIST_SELECTION, withStates, type FoundList, type WireList } from './list-objects.js';

/** The Lists of a user by the last segments of their paths: operations, labels and what stands where there are none. */
export const LISTS_OF_USER = {
  lists: { operation: 'listUserOwnedLists', label: 'Own', none: 'No Lists yet.' },
  'lists/followed': { operation: 'userFollowedLists', label: 'Followed', none: 'No followed Lists.' },
  'lists/memberships': { operation: 'getUserListMemberships', label: 'Member of', none: 'On no Lists.' },
} as const;

export type ListsOfUser = keyof typeof LISTS_OF_USER;

const LISTS_PER_PAGE = 50;

/** `/{username}/lists`, `/lists/followed` and `/lists/memberships`: the Lists of a user. */
export async function showListsOf(visit: Visit, kind: ListsOfUser): Promise<Answer> {
  const found = await findProfile(visit, `/${kind}`);
  if (!('user' in found)) return found;
  const { user } = found;
  const isSelf = isSignedIn(visit) && user.id === String(visit.viewer.user.id);
  const base = profilePath(user);
  const name = shownName(user);
  return showPage(
    visit,
    { title: isSelf ? 'Lists' : `Lists of ${name}`, isPublic: false },
    html`<div class="bar">
        <h1>${isSelf ? 'Lists' : html`Lists of <a href="${base}"><bdi>${name}</bdi></a>`}</h1>
        ${isSelf && html`<a class="button small" href="${CREATE_LIST_PATH}">New List</a>`}
      </div>
      ${isSelf && doneNote(visit, DONE)} ${isSelf && isSignedIn(visit) && (await pinnedLists(visit))}
      ${tabLinks('Lists', tabsOf(base), `${base}/${kind}`)} ${await page(visit, user, kind, isSelf)}`,
  );
}

const DONE = { deleted: 'The List is deleted.' };

function tabsOf(base: string): readonly { readonly path: string; readonly label: string }[] {
  return Object.entries(LISTS_OF_USER).map(([kind, { label }]) => ({ path: `${base}/${kind}`, label }));
}

async function page(visit: Visit, user: WireUser, kind: ListsOfUser, isSelf: boolean): Promise<Html> {
  const { operation, none } = LISTS_OF_USER[kind];
  const found = await visit.api.call<WireList[]>(operation, {
    id: user.id,
    max_results: LISTS_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
    ...LIST_SELECTION,
  });
  if (found.data === undefined && found.errors !== undefined)
    return html`<p class="note">Only those who may see the posts of this account see its Lists.</p>`;
  const lists = await withStates(visit, found);
  const empty = isSelf && kind === 'lists' ? FIRST_LIST : none;
  return html`${listCards(lists, empty)}
  ${nextPageLink(`${profilePath(user)}/${kind}`, found.meta?.next_token, 'More Lists')}`;
}

const FIRST_LIST = html`No Lists yet. A List shows the posts of people you choose, without following them.
  <a href="${CREATE_LIST_PATH}">Make the first one</a>`;

/** Returns the Lists that the user has pinned; undefined if there are none. */
async function pinnedLists(visit: SignedInVisit): Promise<Html | undefined> {
  const found = await visit.api.call<WireList[]>('listUserPinnedLists', {
    id: String(visit.viewer.user.id),
    ...LIST_SELECTION,
  });
  const pinned = await withStates(visit, found);
  if (pinned.length === 0) return undefined;
  return html`<section aria-labelledby="pinned">
    <h2 id="pinned">Pinned</h2>
    ${pinnedCards(visit, pinned)}
    <h2>All Lists</h2>
  </section>`;
}

function pinnedCards(visit: SignedInVisit, pinned: readonly FoundList[]): Html {
  return html`<div class="pinned-lists">${listCards(pinned, '', (found) => unpinButton(visit, found))}</div>`;
}
