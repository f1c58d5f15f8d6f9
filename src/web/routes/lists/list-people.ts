import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { WireUser } from '../../api/objects.js';
import { textField } from '../../fields.js';
import { listPeople } from '../../posts/user-list.js';
import { shownName } from '../../shown-name.js';
import { tabLinks } from '../../tab-links.js';
import type { FormVisit, SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { publicPage, showPage } from '../posts/public-pages.js';
import { backOf, isOff } from './list-buttons.js';
import { idInPath } from '../../id-in-path.js';
import { findList, listName, listPath, type FoundList } from './list-objects.js';

/** The people of a List by the last segment of the path. */
const PEOPLE = {
  members: { operation: 'listGetMembers', label: 'Members', none: 'No members yet.' },
  followers: { operation: 'listGetFollowers', label: 'Followers', none: 'No followers yet.' },
} as const;

type People = keyof typeof PEOPLE;

/** `/i/lists/{id}/members` and `followers`; its owner adds and removes members there. */
export const listPeopleRoutes: CreateRoutes = (pages, context) => [
  publicPage(pages, context, listPath('{id}', 'members'), (visit) => showPeople(visit, context, 'members')),
  publicPage(pages, context, listPath('{id}', 'followers'), (visit) =>
    showPeople(visit, context, 'followers'),
  ),
  pages.acceptFromUser(listPath('{id}', 'members'), async (visit) => {
    try {
      await changeMember(visit);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined || !(await findList(visit)).isOwn) throw error;
      return showPeople(visit, context, 'members', { username: visit.form.get('username') ?? '', fault });
    }
    return visit.goTo(backOf(visit) ?? listPath(idInPath(visit), 'members'));
  }),
];

/** Adds the user in the form, or removes the user. */
async function changeMember(visit: SignedInVisit<FormVisit>): Promise<void> {
  const id = idInPath(visit);
  const user_id = await userIn(visit);
  if (isOff(visit)) await visit.api.call('listRemoveMember', { id, user_id });
  else await visit.api.call('listAddMember', { id, user_id });
}

async function userIn({ api, form }: FormVisit): Promise<string> {
  const id = form.get('user_id');
  if (id !== null) return id;
  const username = (form.get('username') ?? '').trim().replace(/^@/, '');
  const { data } = await api.call<WireUser>('findUserByUsername', { username });
  if (!data) throw new PipitError({ code: 'forbidden', detail: `There is no user @${username}.` });
  return data.id;
}

/** Returns what is wrong with the user in a form; undefined for other errors. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof PipitError)) return undefined;
  if (error.failure.code === 'forbidden') return error.failure.detail;
  if (error.failure.code === 'invalid-request') return 'This is no username.';
  return undefined;
}

interface Refused {
  readonly username: string;
  readonly fault: string;
}

async function showPeople(
  visit: Visit,
  context: WebContext,
  people: People,
  refused?: Refused,
): Promise<Answer> {
  const found = await findList(visit);
  const { list, isOwn } = found;
  const { operation, label, none } = PEOPLE[people];
  const path = listPath(list.id, people);
  const isEdited = isOwn && people === 'members';
  const remove = isEdited ? (user: WireUser) => removeButton(visit, found, user) : undefined;
  return showPage(
    visit,
    {
      title: `${label} of ${listName(list)}`,
      isPublic: false,
      isRefused: refused !== undefined,
    },
    html`<h1>
        ${label} of <a href="${listPath(list.id)}"><bdi>${listName(list)}</bdi></a>
      </h1>
      ${tabLinks('People of the List', tabsOf(list.id), path)} ${isEdited && addForm(visit, path, refused)}
      ${await listPeople(visit, context, operation, list.id, { path, label, none, aside: remove })}`,
  );
}

function tabsOf(id: string): readonly { readonly path: string; readonly label: string }[] {
  return Object.entries(PEOPLE).map(([people, { label }]) => ({ path: listPath(id, people), label }));
}

function addForm(visit: Visit, path: string, refused: Refused | undefined): Html {
  return html`<form class="bar" method="post" action="${path}">
    ${visit.csrfField()}
    ${textField({
      name: 'username',
      label: 'Add a member by username',
      value: refused?.username,
      fault: refused?.fault,
      required: true,
    })}
    <button>Add</button>
  </form>`;
}

function removeButton(visit: Visit, { list }: FoundList, user: WireUser): Html {
  return html`<form method="post" action="${listPath(list.id, 'members')}">
    ${visit.csrfField()}
    <input type="hidden" name="user_id" value="${user.id}" />
    <button class="plain small" name="on" value="no">
      Remove<span class="hidden"> ${shownName(user)}</span>
    </button>
  </form>`;
}
