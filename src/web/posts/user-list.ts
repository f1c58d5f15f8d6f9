import { html, type Html } from '../../api/reference/html.js';
import { escapeText } from '../../core/post-text/escape.js';
import { USER_SELECTION } from '../api/fields.js';
import type { WireUser } from '../api/objects.js';
import type { Visit } from '../visit.js';
import type { WebContext } from '../web-context.js';
import { authorLine, userPicture } from './author.js';
import { followButton } from './follow-button.js';
import { richText } from './rich-text.js';
import { writtenText } from './post-card.js';

/** Returns people with their descriptions, each with what `aside` returns; `none` if there are none. */
export function userList(
  users: readonly WireUser[],
  publicUrl: string,
  none: string,
  aside?: (user: WireUser) => Html,
): Html {
  if (users.length === 0) return html`<p class="absent">${none}</p>`;
  return html`<div class="timeline">${users.map((user) => userCard(user, publicUrl, aside?.(user)))}</div>`;
}

/** A page of a long list of people. */
interface PeoplePage {
  readonly users: readonly WireUser[];
  /** The path of the list, and what leads to its next page; undefined at the end. */
  readonly path: string;
  readonly next: string | undefined;
  /** What the list is, for screen readers, and what stands in its place if it is empty. */
  readonly label: string;
  readonly none: string;
  /** What stands beside each person; by default the button to follow. */
  readonly aside?: (user: WireUser) => Html;
}

/** Reads the page of a list of people that the query names. `operation` lists the people of what has the id. */
export async function listPeople(
  visit: Visit,
  context: WebContext,
  operation: string,
  id: string,
  list: Omit<PeoplePage, 'users' | 'next'>,
): Promise<Html> {
  const { data: users = [], meta } = await visit.api.call<WireUser[]>(operation, {
    id,
    max_results: PEOPLE_PER_PAGE,
    pagination_token: visit.query.get('page') ?? undefined,
    ...USER_SELECTION,
  });
  return peoplePage(visit, context, { ...list, users, next: meta?.next_token });
}

const PEOPLE_PER_PAGE = 50;

/** Returns a page of people with the link to the next one, which the script follows when its end comes near. */
export function peoplePage(
  { viewer }: Visit,
  { publicUrl }: WebContext,
  { users, path, next, label, none, aside }: PeoplePage,
): Html {
  if (users.length === 0) return html`<p class="absent">${none}</p>`;
  const viewerId = viewer?.user.id.toString();
  const followAside = (user: WireUser): Html | undefined =>
    viewerId === undefined || user.id === viewerId ? undefined : followButton(user);
  return html`<div class="timeline" data-viewer="${viewerId}" role="feed" aria-label="${label}">
      ${users.map((user) => userCard(user, publicUrl, (aside ?? followAside)(user)))}
    </div>
    ${nextPageLink(path, next, 'More people')}`;
}

function userCard(user: WireUser, publicUrl: string, aside: Html | undefined): Html {
  const description = user.description ?? '';
  const about = richText({ wireText: escapeText(description), entities: {}, mentioned: new Map() });
  return html`<article class="post person" id="user-${user.id}">
    <div class="head">
      ${userPicture(user, '_bigger', publicUrl)}
      <div>
        ${authorLine(user)}
        ${user.connection_status?.includes('followed_by') === true && html`<span class="mark">Follows you</span>`}
      </div>
      ${aside}
    </div>
    ${description !== '' && writtenText(about)}
  </article>`;
}

/** Returns the link to the next page of a list; undefined at its end. */
export function nextPageLink(path: string, token: string | undefined, label: string): Html | undefined {
  if (token === undefined) return undefined;
  const [base = '', query = ''] = path.split('?');
  const next = new URLSearchParams([...new URLSearchParams(query), ['page', token]]);
  return html`<nav class="pages" aria-label="Pages">
    <a class="button plain" href="${base}?${next.toString()}" rel="next">${label}</a>
  </nav>`;
}
