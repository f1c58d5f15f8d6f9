import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { MAX_LIST_DESCRIPTION, MAX_LIST_NAME } from '../../../core/limits.js';
import { checkbox, type Faults } from '../../fields.js';
import { attempt, boundFields, doneAt, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { profilePath } from '../../posts/paths.js';
import { ownPath } from '../../own-path.js';
import type { FormVisit, SignedInVisit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { deleteCard } from '../delete-card.js';
import { findList, listName, listPath, type FoundList } from './list-objects.js';

export const CREATE_LIST_PATH = listPath('create');

/** `/i/lists/create` and `/i/lists/{id}/edit`: the form of a List; `/i/lists/{id}/delete`. */
export const listFormRoutes: CreateRoutes = (pages) => [
  pages.showToUser(CREATE_LIST_PATH, (visit) => showCreate(visit, EMPTY, NO_FAULTS, backIn(visit.query))),
  pages.acceptFromUser(CREATE_LIST_PATH, (visit) => {
    const settings = readForm(visit);
    const back = backIn(visit.form);
    return attempt(
      () => create(visit, settings),
      (faults) => showCreate(visit, settings, inOurWords(faults), back),
      (id) => visit.goTo(back ?? doneAt(listPath(id), 'created')),
    );
  }),
  pages.showToUser(listPath('{id}', 'edit'), async (visit) => {
    const found = await ownList(visit);
    return showEdit(visit, found, settingsOf(found), NO_FAULTS);
  }),
  pages.acceptFromUser(listPath('{id}', 'edit'), async (visit) => {
    const found = await ownList(visit);
    const settings = readForm(visit);
    return attempt(
      () => visit.api.call('listIdUpdate', { id: found.list.id, ...settings }),
      (faults) => showEdit(visit, found, settings, inOurWords(faults)),
      () => visit.goTo(listPath(found.list.id)),
    );
  }),
  pages.acceptFromUser(listPath('{id}', 'delete'), async (visit) => {
    const { list } = await ownList(visit);
    await visit.api.call('listIdDelete', { id: list.id });
    return visit.goTo(doneAt(`${profilePath(visit.viewer.user)}/lists`, 'deleted'));
  }),
];

interface Settings {
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
}

const EMPTY: Settings = { name: '', description: '', private: false };

function readForm({ form }: FormVisit): Settings {
  return {
    name: (form.get('name') ?? '').trim(),
    description: (form.get('description') ?? '').trim(),
    private: form.has('private'),
  };
}

function settingsOf({ list }: FoundList): Settings {
  return { name: list.name, description: list.description ?? '', private: list.private === true };
}

/** Returns the page of this server that asked for the new List. */
function backIn(fields: URLSearchParams): string | undefined {
  return ownPath(fields.get('back'));
}

/** Returns the List in the path. Throws `route-not-found` unless the viewer owns it. */
async function ownList(visit: SignedInVisit): Promise<FoundList> {
  const found = await findList(visit);
  if (!found.isOwn) throw new PipitError({ code: 'route-not-found' });
  return found;
}

async function create({ api }: SignedInVisit, settings: Settings): Promise<string> {
  const { data } = await api.call<{ id: string }>('listIdCreate', { ...settings });
  return data?.id ?? '';
}

/** The endpoint names the members of its body, and their bounds in its own words. */
function inOurWords(faults: Faults): Faults {
  const words: Readonly<Record<string, string>> = {
    name: `A name has 1 to ${MAX_LIST_NAME} characters.`,
    description: `A description has at most ${MAX_LIST_DESCRIPTION} characters.`,
  };
  return new Map(
    [...faults].map(([path, message]) => {
      const name = path.replace('$.', '');
      return [name, words[name] ?? message];
    }),
  );
}

function showCreate(visit: SignedInVisit, settings: Settings, faults: Faults, back?: string): Answer {
  const backField = back !== undefined && html`<input type="hidden" name="back" value="${back}" />`;
  return visit.show(
    { title: 'New List', status: statusOf(faults), wide: 'posts' },
    html`<h1>New List</h1>
      <form class="card" method="post" action="${CREATE_LIST_PATH}">
        ${visit.csrfField()} ${backField} ${faultNote(faults)} ${fields(settings, faults)}
        <div class="actions"><button>Create the List</button></div>
      </form>`,
  );
}

function showEdit(visit: SignedInVisit, { list }: FoundList, settings: Settings, faults: Faults): Answer {
  const path = listPath(list.id);
  return visit.show(
    { title: 'Edit List', status: statusOf(faults), wide: 'posts' },
    html`<p>
        <a href="${path}">Back to <bdi>${listName(list)}</bdi></a>
      </p>
      <h1>Edit List</h1>
      <form class="card" method="post" action="${listPath(list.id, 'edit')}">
        ${visit.csrfField()} ${faultNote(faults)} ${fields(settings, faults)}
        <div class="actions"><button>Save</button></div>
      </form>
      ${deleteCard(visit, listName(list), path, DELETES_LIST)}`,
  );
}

const DELETES_LIST =
  'Its members and followers lose it. Their accounts and posts stay. This cannot be undone.';

function fields({ name, description, private: isPrivate }: Settings, faults: Faults): Html {
  const { text, area } = boundFields({ name, description }, faults);
  return html`${text('name', 'Name', { required: true, maxLength: MAX_LIST_NAME })}
  ${area('description', 'Description', { maxLength: MAX_LIST_DESCRIPTION })}
  ${checkbox({ name: 'private', label: 'Private: only you see this List', checked: isPrivate })}`;
}
