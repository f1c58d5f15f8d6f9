import { html, type Html } from '../../api/reference/html.js';
import { plainLine } from '../../core/plain-line.js';
import type { Answer } from '../../http/answer.js';
import type { Faults } from '../fields.js';
import { attempt, doneAt, doneNote, NO_FAULTS } from '../forms.js';
import { idInPath } from '../id-in-path.js';
import { getFolder, listFolders, type BookmarkFolder } from '../posts/bookmark-folders.js';
import { cardsOfIds, type PostCard } from '../posts/load-cards.js';
import { actionPath } from '../posts/post-actions.js';
import { tabLinks } from '../tab-links.js';
import type { SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { folderForms, newFolderForm, type FolderForm } from './bookmark-folder-forms.js';
import { nextOf, postList, POSTS_PER_PAGE, readPosts, showPage } from './posts/public-pages.js';

const BOOKMARKS_PATH = '/i/bookmarks';

/** `/i/bookmarks`: the posts that the user keeps, the last bookmarked first; `/i/bookmarks/{id}`: those of a folder. */
export const bookmarkRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(BOOKMARKS_PATH, (visit) => showAll(visit, context)),
  pages.acceptFromUser(BOOKMARKS_PATH, (visit) =>
    attempt(
      async () => {
        const sent = { id: idOf(visit), name: (visit.form.get('name') ?? '').trim() };
        return (await visit.api.call<BookmarkFolder>('createUsersBookmarkFolder', sent)).data?.id ?? '';
      },
      (faults) => showAll(visit, context, faults, visit.form.get('name') ?? ''),
      (id) => visit.goTo(`${BOOKMARKS_PATH}/${id}`),
    ),
  ),
  pages.showToUser(`${BOOKMARKS_PATH}/{id}`, (visit) => showFolder(visit, context)),
  pages.acceptFromUser(`${BOOKMARKS_PATH}/{id}`, async (visit) => {
    const { id } = await folderOf(visit);
    const name = visit.form.get('name') ?? '';
    return attempt(
      () => visit.api.call('renameBookmarkFolder', { id, name: name.trim() }),
      (faults) => showFolder(visit, context, { faults, name }),
      () => visit.goTo(doneAt(`${BOOKMARKS_PATH}/${id}`, 'renamed')),
    );
  }),
  pages.acceptFromUser(`${BOOKMARKS_PATH}/{id}/delete`, async (visit) => {
    await visit.api.call('deleteBookmarkFolder', { id: (await folderOf(visit)).id });
    return visit.goTo(doneAt(BOOKMARKS_PATH, 'deleted'));
  }),
  pages.acceptFromUser(actionPath('{id}', 'folder'), async (visit) => {
    const folder = visit.form.get('folder') ?? '';
    const sent = { id: idOf(visit), tweet_id: visit.request.path['id'], folder_id: folder };
    await visit.api.call('postUsersIdBookmarks', sent);
    return visit.goTo(`${BOOKMARKS_PATH}/${folder}`);
  }),
];

const DONE = {
  renamed: 'The folder has its new name.',
  deleted: 'The folder is deleted. The posts that were in it are still bookmarked.',
};

/** Returns the folder of the path. Throws an error of status 404 if the user does not have it. */
function folderOf(visit: SignedInVisit): Promise<BookmarkFolder> {
  return getFolder(visit.api, idInPath(visit));
}

const idOf = ({ viewer }: SignedInVisit): string => String(viewer.user.id);

async function showAll(
  visit: SignedInVisit,
  context: WebContext,
  faults: Faults = NO_FAULTS,
  name = '',
): Promise<Answer> {
  const { cards, next } = await readPosts(visit, 'getUsersIdBookmarks', idOf(visit));
  return showBookmarks(visit, context, {
    title: 'Bookmarks',
    path: BOOKMARKS_PATH,
    cards,
    next,
    none: 'No bookmarks yet. The bookmark button under a post keeps it here; nobody else sees that.',
    folders: await listFolders(visit.api, idOf(visit)),
    form: { kind: 'new', faults, name },
  });
}

async function showFolder(
  visit: SignedInVisit,
  context: WebContext,
  refused?: { readonly faults: Faults; readonly name: string },
): Promise<Answer> {
  const folder = await folderOf(visit);
  const found = await visit.api.call<{ id: string }[]>('getUsersBookmarksByFolderId', {
    id: idOf(visit),
    folder_id: folder.id,
    max_results: POSTS_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
  });
  const cards = await cardsOfIds(
    visit.api,
    (found.data ?? []).map((post) => post.id),
  );
  return showBookmarks(visit, context, {
    title: plainLine(folder.name),
    path: `${BOOKMARKS_PATH}/${folder.id}`,
    cards: [...cards.values()],
    next: nextOf(found),
    none: 'Nothing in this folder yet. The menu of a post puts it here.',
    folders: await listFolders(visit.api, idOf(visit)),
    form: { kind: 'change', faults: NO_FAULTS, name: folder.name, ...refused },
  });
}

interface Bookmarks {
  readonly title: string;
  readonly path: string;
  readonly cards: readonly PostCard[];
  readonly next: ReturnType<typeof nextOf>;
  readonly none: string;
  readonly folders: readonly BookmarkFolder[];
  /** The form of a new folder, or those of the shown one. */
  readonly form: FolderForm & { readonly kind: 'new' | 'change' };
}

function showBookmarks(visit: SignedInVisit, context: WebContext, shown: Bookmarks): Answer {
  const { title, path, cards, next, none, folders, form } = shown;
  const list = postList(visit, context, { cards, path, next, none, label: title });
  return showPage(
    visit,
    { title, isPublic: false, isRefused: form.faults.size > 0 },
    html`<h1 dir="auto">${title}</h1>
      ${doneNote(visit, DONE)} ${folderLinks(folders, path)}
      ${form.kind === 'new' ? newFolderForm(visit, path, form) : folderForms(visit, path, form)} ${list}`,
  );
}

function folderLinks(folders: readonly BookmarkFolder[], path: string): Html | undefined {
  if (folders.length === 0) return undefined;
  const tabs = folders.map(({ id, name }) => ({
    path: `${BOOKMARKS_PATH}/${id}`,
    label: html`<bdi>${plainLine(name)}</bdi>`,
  }));
  return tabLinks('Folders', [{ path: BOOKMARKS_PATH, label: 'All bookmarks' }, ...tabs], path);
}
