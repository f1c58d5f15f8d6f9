import { html, type Html } from '../../../api/reference/html.js';
import { plainLine } from '../../../core/plain-line.js';
import type { Answer } from '../../../http/answer.js';
import type { WireUser } from '../../api/objects.js';
import { findInPath } from '../../id-in-path.js';
import { partAnswer, wantsPart } from '../../part-answer.js';
import { listFolders, type BookmarkFolder } from '../../posts/bookmark-folders.js';
import { cardOfId, type PostCard } from '../../posts/load-cards.js';
import { actionPath } from '../../posts/post-actions.js';
import { OPERATOR_PATH } from '../../navigation.js';
import { postPath, profilePath, reportPath } from '../../posts/paths.js';
import { postCard } from '../../posts/post-card.js';
import { shownName } from '../../shown-name.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { COMPOSE_PATH } from './composer.js';
import { cardContext } from './public-pages.js';

/** `/i/posts/{id}/menu`: what else the viewer can do with a post, and the forms that do it. */
export const postMenuRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(actionPath('{id}', 'menu'), async (visit) => showMenu(visit, context)),
  pages.acceptFromUser(actionPath('{id}', 'pin'), async (visit) => {
    const { post, author } = await cardIn(visit);
    if (visit.form.get('on') === 'no') await visit.api.call('unpinPost');
    else await visit.api.call('pinPost', { post_id: post.id });
    return visit.goTo(author ? profilePath(author) : '/home');
  }),
  pages.acceptFromUser(actionPath('{id}', 'hidden'), async (visit) => {
    const { post, author } = await cardIn(visit);
    await visit.api.call('hideReplyById', { tweet_id: post.id, hidden: visit.form.get('on') !== 'no' });
    return visit.goTo(postPath(post.id, author));
  }),
];

/** Returns the card of the post in the path. Throws 'route-not-found' if there is none. */
export function cardIn(visit: Visit): Promise<PostCard> {
  return findInPath(visit, async (id) => (await cardOfId(visit.api, String(id))).card);
}

async function showMenu(visit: SignedInVisit, context: WebContext): Promise<Answer> {
  const card = await cardIn(visit);
  const menu = html`<ul class="menu" data-id="${card.post.id}">
    ${(await itemsOf(visit, card, context)).map((each) => html`<li>${each}</li>`)}
  </ul>`;
  if (wantsPart(visit, 'menu')) return partAnswer('menu', menu);
  return visit.show(
    { title: 'Post menu', wide: 'posts' },
    html`<h1>Post menu</h1>
      ${postCard(card, { ...cardContext(visit, context), isSignedIn: false })} ${menu}`,
  );
}

async function itemsOf(visit: SignedInVisit, card: PostCard, context: WebContext): Promise<Html[]> {
  const { post, author } = card;
  const viewerId = String(visit.viewer.user.id);
  const isOwn = post.author_id === viewerId;
  const link = `${context.publicUrl}${postPath(post.id, author)}`;
  return [
    html`<a href="${COMPOSE_PATH}?quote=${post.id}">Quote this post</a>`,
    html`<label for="link">Link</label> <input id="link" readonly value="${link}" />`,
    ...folderItem(visit, card, await listFolders(visit.api, viewerId)),
    ...(isOwn ? await ownItems(visit, card, context) : []),
    ...(!isOwn && author
      ? [html`<a href="${profilePath(author)}">Follow, mute or block <bdi>${shownName(author)}</bdi></a>`]
      : []),
    ...(isOwn ? [] : [html`<a href="${reportPath('posts', post.id)}">Report this post</a>`]),
    ...(visit.viewer.isOperator
      ? [html`<a href="${OPERATOR_PATH}/posts/${post.id}">Remove this post as an operator</a>`]
      : []),
    ...((await mayHide(visit, card)) ? [button(visit, post.id, 'hidden', 'Hide this reply')] : []),
  ];
}

/** Returns what authors can do with their posts. */
async function ownItems(visit: SignedInVisit, { post }: PostCard, { clock }: WebContext): Promise<Html[]> {
  const { data: me } = await visit.api.call<WireUser>('findMyUser', { 'user.fields': ['pinned_tweet_id'] });
  const { edit_controls: edits } = post;
  const isEditable =
    edits?.is_edit_eligible === true &&
    edits.edits_remaining > 0 &&
    Date.parse(edits.editable_until) > clock();
  const isPinned = me?.pinned_tweet_id === post.id;
  return [
    ...(isEditable ? [html`<a href="${COMPOSE_PATH}?edit=${post.id}">Edit this post</a>`] : []),
    isPinned
      ? button(visit, post.id, 'pin', 'Unpin from your profile', 'no')
      : button(visit, post.id, 'pin', 'Pin to your profile'),
    html`<a class="button danger" href="${actionPath(post.id, 'delete')}">Delete this post</a>`,
  ];
}

/** Returns the form that puts a post into a folder of bookmarks, if there are folders. */
function folderItem(visit: SignedInVisit, card: PostCard, folders: readonly BookmarkFolder[]): Html[] {
  if (folders.length === 0) return [];
  const { post, state } = card;
  const option = ({ id, name }: BookmarkFolder): Html =>
    html`<option value="${id}" ${state?.bookmark_folder_id === id && html`selected`}>
      ${plainLine(name)}
    </option>`;
  return [
    html`<form class="folder" method="post" action="${actionPath(post.id, 'folder')}">
      ${visit.csrfField()}
      <label for="folder">Folder of bookmarks</label>
      <select id="folder" name="folder">
        ${folders.map(option)}
      </select>
      <button class="plain">Keep in this folder</button>
    </form>`,
  ];
}

/** Reports whether a post is a reply of another in a conversation that the viewer began. */
async function mayHide({ api, viewer }: SignedInVisit, { post }: PostCard): Promise<boolean> {
  const { conversation_id: rootId = post.id, author_id: authorId } = post;
  const viewerId = String(viewer.user.id);
  if (rootId === post.id || authorId === viewerId) return false;
  return (await cardOfId(api, rootId)).card?.post.author_id === viewerId;
}

function button(visit: SignedInVisit, id: string, action: string, label: string, on = 'yes'): Html {
  return html`<form method="post" action="${actionPath(id, action)}">
    ${visit.csrfField()}<button class="plain" name="on" value="${on}">${label}</button>
  </form>`;
}
