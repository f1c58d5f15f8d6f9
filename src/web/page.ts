import { Answer } from '../http/answer.js';
import { html, type Html } from '../api/reference/html.js';
import { type Appearance, rootAttributes, DEFAULT_APPEARANCE } from './appearance.js';
import { CLIENT_SCRIPT, SITE_ICON, STYLE_PATH } from './assets.js';
import { DEFAULT_NAME } from '../services/instance/instance.js';
import { iconPath, MANIFEST_PATH } from './site-icons.js';
import { PAGE_COLOURS } from './tokens.js';
import { mainNavigation, topBar, type PageViewer } from './navigation.js';

export interface PageOptions {
  /** The window title. It includes the error state, because screen readers announce it first. */
  readonly title: string;
  /** Default: 200. */
  readonly status?: number;
  readonly viewer?: PageViewer;
  readonly appearance?: Appearance;
  /** The name of the server, for the title and the top of the page; default: Pipit. */
  readonly siteName?: string;
  /** The path and query of a page of the web client, to mark the current link and to return to. */
  readonly url?: string;
  /** True for tables and plots, `posts` for a column of posts; by default one narrow column. */
  readonly wide?: boolean | 'posts';
  /** Beside the main column on wide screens, below it on others. */
  readonly aside?: Html;
  /** Additional elements for the page's head. */
  readonly head?: Html;
  /** The sign-in link in the top bar of public pages. */
  readonly signIn?: string;
  /**
   * The allowed form targets besides this server, for CSP form-action, which also applies to redirects: sources from
   * `sourceOf`, or anywhere.
   */
  readonly formTargets?: readonly string[] | 'anywhere';
  /** Where links of media lead besides this server. */
  readonly mediaOrigin?: string;
  /** The path of a script of this server, beside that of the web client. */
  readonly script?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/**
 * Returns a complete page, which works without its scripts. It cannot be framed and is not cached (SECURITY.md).
 * `body` is the content of `main` and starts with an `h1`.
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

/** No script and no style but the files of this server; `blob:` shows pictures before they are uploaded. */
const SOURCES = [
  `default-src 'none'`,
  `style-src 'self'`,
  `script-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `worker-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
];

function policy({ formTargets = [], mediaOrigin }: PageOptions): string {
  const media = [`'self'`, 'blob:', ...(mediaOrigin === undefined ? [] : [mediaOrigin])].join(' ');
  const directives = [...SOURCES, `img-src ${media}`, `media-src ${media}`];
  if (formTargets !== 'anywhere') directives.push(['form-action', `'self'`, ...formTargets].join(' '));
  return directives.join('; ');
}

function render(options: PageOptions, body: Html): Html {
  const {
    siteName = DEFAULT_NAME,
    title,
    status = 200,
    viewer,
    url,
    wide,
    aside,
    head,
    signIn,
    script,
  } = options;
  return html`<!doctype html>
    <html ${rootAttributes(options.appearance ?? DEFAULT_APPEARANCE)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${status >= 400 && 'Error: '}${title} · ${siteName}</title>
        <link rel="icon" href="${SITE_ICON}" />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        <link rel="manifest" href="${MANIFEST_PATH}" />
        <link rel="apple-touch-icon" href="${APPLE_ICON}" />
        ${THEME_COLOURS} ${head} ${url !== undefined && scriptTag(CLIENT_SCRIPT)} ${scriptTag(script)}
      </head>
      <body class="${viewer ? 'signed-in' : ''}">
        <a class="skip" href="#content">Skip to the content</a>
        ${viewer ? mainNavigation(viewer, url ?? '/', siteName) : topBar(signIn, siteName)}
        <main id="content" tabindex="-1" class="${widthClass(wide)}">${body}</main>
        ${aside && html`<aside>${aside}</aside>`}
      </body>
    </html> `;
}

const APPLE_ICON = iconPath('P', 192);

/** The colour of the browser's own bars. */
const THEME_COLOURS = Object.entries(PAGE_COLOURS).map(
  ([scheme, colour]) =>
    html`<meta name="theme-color" content="${colour}" media="(prefers-color-scheme: ${scheme})" />`,
);

function scriptTag(path: string | undefined): Html | undefined {
  return path === undefined ? undefined : html`<script src="${path}" type="module"></script>`;
}

function widthClass(wide: PageOptions['wide']): string {
  if (wide === 'posts') return wide;
  return wide === true ? 'wide' : '';
}
