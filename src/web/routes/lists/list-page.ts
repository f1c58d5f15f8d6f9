import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { counted } from '../../counted.js';
import { doneNote } from '../../forms.js';
import { authorLine } from '../../posts/author.js';
import { writtenText } from '../../posts/post-card.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import { shownName } from '../../shown-name.js';
import type { Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { feedLink, feedLinks } from '../feeds/feed-links.js';
import { postList, readPosts, showPage } from '../posts/public-pages.js';
import { homeTabs } from './home-tabs.js';
import { listButtons } from './list-buttons.js';
import { privateMark } from './list-card.js';
import { findList, listName, listPath, type FoundList } from './list-objects.js';

/** `/i/lists/{id}`: a List with the posts of its members, newest first. */
export async function showList(visit: Visit, context: WebContext): Promise<Answer> {
  const found = await findList(visit);
  const { list, isOwn } = found;
  const path = listPath(list.id);
  const { cards, next } = await readPosts(visit, 'listsIdTweets', list.id);
  const posts = postList(visit, context, {
    cards,
    path,
    next,
    none: isOwn ? OWN_EMPTY : 'No posts here yet.',
    label: `Posts of the List ${listName(list)}`,
  });
  return showPage(
    visit,
    {
      title: titleOf(found),
      head: tagsOf(found, context.publicUrl),
      isPublic: list.private !== true,
      feeds: list.private === true ? undefined : feedLinks(path, listName(list)),
    },
    html`${await homeTabs(visit)} ${doneNote(visit, DONE)} ${listHeader(visit, found)}
      <h2 class="hidden">Posts</h2>
      ${posts}`,
  );
}

const DONE = { created: 'The List is there. Add people to it from their profiles or under its members.' };

const OWN_EMPTY = 'No posts yet. Add people to this List from their profiles or under its members.';

function titleOf({ list, owner }: FoundList): string {
  return owner ? `${listName(list)}: List by ${shownName(owner)}` : listName(list);
}

function tagsOf(found: FoundList, publicUrl: string): Html {
  const { list, owner } = found;
  const path = listPath(list.id);
  const { description = '' } = list;
  const tags = {
    type: 'article',
    title: titleOf(found),
    description,
    path,
    image: faceImage(owner),
  } as const;
  return socialTags(tags, publicUrl);
}

/** Returns the name of a List with its owner, description, counts and buttons. */
function listHeader(visit: Visit, found: FoundList): Html {
  const { list, owner } = found;
  const { description = '', member_count: members = 0, follower_count: followers = 0 } = list;
  return html`<header class="profile list-header">
    <h1><bdi>${listName(list)}</bdi> ${privateMark(list)}</h1>
    ${owner && html`<p class="list-owner">by ${authorLine(owner)}</p>`}
    ${description !== '' && writtenText(html`${description}`)}
    <ul class="counts">
      <li><a href="${listPath(list.id, 'members')}">${counted(members, 'member', 'members')}</a></li>
      <li><a href="${listPath(list.id, 'followers')}">${counted(followers, 'follower', 'followers')}</a></li>
      ${list.private !== true && html`<li>${feedLink(listPath(list.id))}</li>`}
    </ul>
    ${listButtons(visit, found)}
  </header>`;
}
