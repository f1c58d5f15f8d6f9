import { html, type Html } from '../../api/reference/html.js';
import type { Answer } from '../../http/answer.js';
import { NOT_IMPLEMENTED_PATH } from '../../http/problems.js';
import type { NavigationLink } from '../navigation.js';
import type { Visit } from '../visit.js';

export const DOCS_PATH = '/docs';
export const ENDPOINTS_PATH = `${DOCS_PATH}/endpoints`;
export const GUIDE_PATHS = {
  firstSteps: `${DOCS_PATH}/first-steps`,
  authentication: `${DOCS_PATH}/authentication`,
  queryLanguage: `${DOCS_PATH}/query-language`,
  errors: `${DOCS_PATH}/errors`,
  limits: `${DOCS_PATH}/limits`,
} as const;

const LINKS: readonly NavigationLink[] = [
  { path: DOCS_PATH, label: 'Overview' },
  { path: GUIDE_PATHS.firstSteps, label: 'First steps' },
  { path: GUIDE_PATHS.authentication, label: 'Authentication' },
  { path: ENDPOINTS_PATH, label: 'Endpoints' },
  { path: GUIDE_PATHS.queryLanguage, label: 'Query language' },
  { path: GUIDE_PATHS.errors, label: 'Errors' },
  { path: GUIDE_PATHS.limits, label: 'Limits' },
  { path: NOT_IMPLEMENTED_PATH, label: 'Not implemented' },
];

/** A page of the documentation: the title is its heading. */
export interface DocsPage {
  readonly title: string;
  /** The path of the link that is marked: its own by default. */
  readonly within?: string;
  readonly status?: number;
}

/** Returns a page of the documentation with its contents beside it, above it on phones. */
export function docsPage(visit: Visit, { title, within, status }: DocsPage, body: Html): Answer {
  const own = visit.request.url.split('?')[0] ?? '';
  return visit.show(
    { title, status, wide: true, signIn: `/sign-in?${new URLSearchParams({ next: own }).toString()}` },
    html`<div class="section docs">
      <details class="fold contents">
        <summary>Contents</summary>
        <nav class="tabs" aria-label="Documentation">
          ${LINKS.map((link) => contentsLink(link, own, within))}
        </nav>
      </details>
      <div>${body}</div>
    </div>`,
  );
}

function contentsLink({ path, label }: NavigationLink, own: string, within: string | undefined): Html {
  const mark = path === own ? html`aria-current="page"` : path === within && html`aria-current="true"`;
  return html`<a href="${path}" ${mark}>${label}</a>`;
}
