import { html, type Html } from '../../api/reference/html.js';
import { escapeText } from '../../core/post-text/escape.js';
import type { WireUser } from '../api/objects.js';
import { shownName } from '../shown-name.js';
import type { Visit } from '../visit.js';
import type { WebContext } from '../web-context.js';
import { authorLine, userPicture } from './author.js';
import { profilePath } from './paths.js';
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
  readonly aside?: (user: WireUser) => Html;
}

/** Returns a page of people with the link to the next one, which the script follows when its end comes near. */
export function peoplePage(
  { viewer }: Visit,
  { publicUrl }: WebContext,
  { users, path, next, label, none, aside }: PeoplePage,
): Html {
  if (users.length === 0) return html`<p class="absent">${none}</p>`;
  return html`<div
      class="timeline"
      data-viewer="${viewer?.user.id.toString()}"
      role="feed"
      aria-label="${label}"
    >
      ${users.map((user) => userCard(user, publicUrl, aside?.(user)))}
    </div>
    ${nextPageLink(path, next, 'More people')}`;
}

function userCard(user: WireUser, publicUrl: string, aside: Html | undefined): Html {
  const statuses = new Set(user.connection_status ?? []);
  const description = user.description ?? '';
  const about = richText({ wireText: escapeText(description), entities: {}, mentioned: new Map() });
  return html`<article class="post person" id="user-${user.id}">
    <div class="head">
      ${userPicture(user, '_bigger', publicUrl)}
      <div>
        ${authorLine(user)} ${statuses.has('followed_by') && html`<span class="mark">Follows you</span>`}
        ${statuses.has('following') && html`<span class="mark">Following</span>`}
      </div>
      ${aside}
    </div>
    ${description !== '' && writtenText(about)}
    <p class="hint">
      <a href="${profilePath(user)}">Profile<span class="hidden"> of ${shownName(user)}</span></a>
    </p>
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
