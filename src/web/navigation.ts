import { html, type Html } from '../api/reference/html.js';
import type { User } from '../core/user.js';
import type { SignedIn } from '../services/accounts/web-sessions.js';
import { accountPicture } from './account-picture.js';
import { icon, type IconName } from './icons.js';
import { profilePath } from './posts/paths.js';
import { SPACES_PATH } from './posts/space-card.js';
import { ACTION_FORM } from './posts/post-actions.js';

/** The root paths of signed-in pages. They contain a hyphen, so they cannot collide with usernames. */
export const ACCOUNT_PATH = '/my-account';
/** What the operators did about posts of the user. */
export const NOTICES_PATH = `${ACCOUNT_PATH}/notices`;
export const CONSOLE_PATH = '/my-apps';
export const OPERATOR_PATH = '/operator-desk';

/** The form that lets another account of the browser act. */
export const SWITCH_PATH = '/my-account/switch';

/** A link of a navigation. */
export interface NavigationLink {
  readonly path: string;
  readonly label: string;
}

/** The signed-in viewer of a page. */
export interface PageViewer extends Pick<SignedIn, 'user' | 'isOperator'> {
  readonly csrfToken: string;
  /** The other accounts that are signed in in the browser. */
  readonly others?: readonly User[];
  /** What the viewer has not read; absent if it is not known. */
  readonly unread?: { readonly notifications: number; readonly messages: number };
}

interface MainLink extends NavigationLink {
  readonly icon: IconName;
  /** True for the links that phones show in the bar at the bottom; the others are in its menu. */
  readonly isFirst?: true;
  /** The path of a picture in place of the icon. */
  readonly picture?: string;
  /** What is new there. */
  readonly count?: number;
}

function linksFor({ user, isOperator, unread }: PageViewer): readonly MainLink[] {
  return [
    { path: '/home', label: 'Home', icon: 'home', isFirst: true },
    { path: '/explore', label: 'Explore', icon: 'search', isFirst: true },
    {
      path: '/notifications',
      label: 'Notifications',
      icon: 'bell',
      isFirst: true,
      count: unread?.notifications,
    },
    { path: '/messages', label: 'Messages', icon: 'mail', isFirst: true, count: unread?.messages },
    { path: '/i/bookmarks', label: 'Bookmarks', icon: 'bookmark' },
    { path: `${profilePath(user)}/lists`, label: 'Lists', icon: 'list' },
    { path: SPACES_PATH, label: 'Spaces', icon: 'space' },
    { path: profilePath(user), label: 'Profile', icon: 'person', picture: ownPicture(user) },
    { path: ACCOUNT_PATH, label: 'Settings', icon: 'settings' },
    { path: CONSOLE_PATH, label: 'Apps', icon: 'key' },
    ...(isOperator ? [{ path: OPERATOR_PATH, label: 'Operator', icon: 'desk' } as const] : []),
  ];
}

/**
 * Returns the navigation of signed-in pages: a column on wide screens, a bar at the bottom of phones. With it comes the
 * form that the actions of a page submit.
 */
export function mainNavigation(viewer: PageViewer, url: string, siteName: string): Html {
  const { user, csrfToken } = viewer;
  const links = linksFor(viewer);
  const csrf = html`<input type="hidden" name="csrf" value="${csrfToken}" />`;
  const [at = ''] = url.split('?');
  const current = currentLink(links, at);
  const linkOf = (link: MainLink): Html =>
    mainLink(link, link === current && (link.path === at ? 'page' : 'true'));
  return html`<form id="${ACTION_FORM}" method="post" data-user="${user.id.toString()}" hidden>
      ${csrf} <input type="hidden" name="back" value="${url}" />
    </form>
    <header class="side">
      <a class="brand" href="/home" dir="auto">${siteName}</a>
      <nav class="main-links" aria-label="Main">
        ${links.filter(({ isFirst }) => isFirst).map(linkOf)}
        <details class="more-links">
          <summary aria-label="More pages">${icon('more')}<span>More</span></summary>
          <div>
            ${links.filter(({ isFirst }) => !isFirst).map(linkOf)} ${accountLinks(viewer, csrf)}
            <form method="post" action="/sign-out">
              ${csrf}
              <button class="nav-link">
                ${icon('leave')}<span>Sign out <span class="who">@${user.username}</span></span>
              </button>
              ${
                (viewer.others ?? []).length > 0 &&
                html`<button class="nav-link" name="all" value="yes">
                  ${icon('leave')}<span>Sign out of all</span>
                </button>`
              }
            </form>
          </div>
        </details>
      </nav>
      <a class="button compose" href="/compose/post" aria-label="Write a post"
        >${icon('pen')}<span>Post</span></a
      >
    </header>`;
}

/** Returns a button for each other account, which lets it act, and the link to sign in with one more. */
function accountLinks({ others = [] }: PageViewer, csrf: Html): Html {
  return html`${
      others.length > 0 &&
      html`<form method="post" action="${SWITCH_PATH}">
        ${csrf}
        ${others.map(
          (user) =>
            html`<button class="nav-link" name="account" value="${user.id.toString()}">
              ${accountIcon(accountPicture(user))}<span
                ><span class="hidden">Switch to </span>@${user.username}</span
              >
            </button>`,
        )}
      </form>`
    }
    <a class="nav-link" href="/sign-in?${new URLSearchParams({ add: '1', next: '/home' }).toString()}"
      >${icon('plus')}<span>Add an account</span></a
    >`;
}

/** Returns the picture that an account has uploaded. */
function ownPicture(user: User): string | undefined {
  return user.profileImageId === undefined ? undefined : accountPicture(user);
}

function accountIcon(path: string): Html {
  return html`<img class="icon account" src="${path}" width="24" height="24" alt="" loading="lazy" />`;
}

/** Returns the link that leads to a page or nearest above it. */
function currentLink(links: readonly MainLink[], at: string): MainLink | undefined {
  const above = links.filter(({ path }) => at === path || at.startsWith(`${path}/`));
  return above.sort((one, other) => other.path.length - one.path.length)[0];
}

function mainLink(
  { path, label, icon: name, picture, count = 0 }: MainLink,
  current: 'page' | 'true' | false,
): Html {
  return html`<a class="nav-link" href="${path}" ${current !== false && html`aria-current="${current}"`}
    >${picture === undefined ? icon(name) : accountIcon(picture)}<span>${label}</span>${count > 0 && newCount(count)}</a
  >`;
}

function newCount(count: number): Html {
  return html`<b class="badge-count">${count > 99 ? '99+' : count}<span class="hidden"> new</span></b>`;
}

/** Returns the bar at the top of pages for visitors. */
export function topBar(signIn: string | undefined, siteName: string): Html {
  return html`<header class="top">
    <a class="brand" href="/" dir="auto">${siteName}</a>
    <nav aria-label="Main">
      <a href="/explore">Explore</a> <a href="/docs">API docs</a>
      ${signIn !== undefined && html`<a class="button small" href="${signIn}">Sign in</a>`}
    </nav>
  </header>`;
}
