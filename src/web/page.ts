import { createHash } from 'node:crypto';
import { Answer } from '../http/answer.js';
import { Html, html } from '../api/reference/html.js';
import type { SignedIn } from '../services/accounts/web-sessions.js';
import { STYLE } from './style.js';

/** The root paths of signed-in pages. They contain a hyphen, so they cannot collide with usernames. */
export const ACCOUNT_PATH = '/my-account';
export const CONSOLE_PATH = '/my-apps';
export const OPERATOR_PATH = '/operator-desk';

/** A link of the top bar. */
export interface NavigationLink {
  readonly path: string;
  readonly label: string;
}

/** Returns the links of the top bar for a signed-in user. */
export function navigationOf({ isOperator }: SignedIn): readonly NavigationLink[] {
  return [
    { path: ACCOUNT_PATH, label: 'Account' },
    { path: CONSOLE_PATH, label: 'Apps' },
    ...(isOperator ? [{ path: OPERATOR_PATH, label: 'Operator' }] : []),
  ];
}

/** The viewer's data in the top bar. */
interface PageViewer {
  readonly username: string;
  /** For the sign-out form. */
  readonly csrfToken: string;
  readonly links: readonly NavigationLink[];
}

export interface PageOptions {
  /** The window title. It includes the error state, because screen readers announce it first. */
  readonly title: string;
  /** Default: 200. */
  readonly status?: number;
  readonly viewer?: PageViewer;
  /** The path of the page, to mark the current link. */
  readonly path?: string;
  /** True for tables and plots, `posts` for a column of posts; by default one narrow column. */
  readonly wide?: boolean | 'posts';
  /** Additional elements for the page's head. */
  readonly head?: Html;
  /** The sign-in link in the top bar of public pages. */
  readonly signIn?: string;
  /**
   * The allowed form targets besides this server, for CSP form-action, which also applies to redirects: sources from
   * `sourceOf`, or anywhere.
   */
  readonly formTargets?: readonly string[] | 'anywhere';
  /** The path of a script of this server; pages have none by default. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/**
 * Returns a complete page, without scripts unless `script` names one. It cannot be framed and is not cached (SECURITY.md). `body` is the content
 * of `main` and starts with an `h1`.
 */
export function page(options: PageOptions, body: Html): Answer {
  return new Answer(options.status ?? 200, Buffer.from(render(options, body).markup), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(options),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...options.headers,
  });
}

/**
 * Returns the CSP source of a redirect URI for `formTargets`: its origin, or its scheme when it has no plain origin.
 */
export function sourceOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return PLAIN_ORIGIN.test(origin) ? origin : protocol;
}

function policy({ formTargets = [], script }: PageOptions): string {
  const directives = [
    `default-src 'none'`,
    `style-src 'sha256-${STYLE_HASH}'`,
    `img-src 'self'`,
    `media-src 'self'`,
    ...(script === undefined ? [] : [`script-src 'self'`, `connect-src 'self'`]),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  if (formTargets !== 'anywhere') directives.push(['form-action', `'self'`, ...formTargets].join(' '));
  return directives.join('; ');
}

function render(options: PageOptions, body: Html): Html {
  const { title, status = 200, viewer, path, wide, head, signIn, script } = options;
  const links = viewer ? topBar(viewer, path) : signIn !== undefined && signInBar(signIn);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${status >= 400 && 'Error: '}${title} · Pipit</title>
        ${head} ${new Html(`<style>${STYLE}</style>`)}
        ${script !== undefined && html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top"><a class="brand" href="/">Pipit</a>${links}</header>
        <main id="content" tabindex="-1" class="${wide === 'posts' ? wide : wide === true ? 'wide' : ''}">
          ${body}
        </main>
      </body>
    </html> `;
}

function signInBar(path: string): Html {
  return html`<nav aria-label="Account"><a href="${path}">Sign in</a></nav>`;
}

function topBar({ username, csrfToken, links }: PageViewer, path: string | undefined): Html {
  return html`<nav aria-label="Account">
    ${links.map((link) => navigationLink(link, path))}
    <form method="post" action="/sign-out">
      <input type="hidden" name="csrf" value="${csrfToken}" />
      <button class="link">Sign out<span class="who"> @${username}</span></button>
    </form>
  </nav>`;
}

function navigationLink({ path, label }: NavigationLink, current: string | undefined): Html {
  if (current?.startsWith(`${path}/`)) return html`<a href="${path}" aria-current="true">${label}</a>`;
  return path === current
    ? html`<a href="${path}" aria-current="page">${label}</a>`
    : html`<a href="${path}">${label}</a>`;
}
