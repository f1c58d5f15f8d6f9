import { html, type Html } from '../../../api/reference/html.js';
import { forbidden } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import type { Cursor, PageRequest } from '../../../core/page.js';
import { OPERATOR_PATH } from '../../navigation.js';
import type { PageHandler, PageRoutes } from '../../page-routes.js';
import { sectionOf } from '../../section-page.js';
import type { SignedInVisit, Visit } from '../../visit.js';

const SECTION = sectionOf('Operator desk', {
  overview: [OPERATOR_PATH, 'Overview'],
  reports: [`${OPERATOR_PATH}/reports`, 'Reports'],
  users: [`${OPERATOR_PATH}/users`, 'Users'],
  apps: [`${OPERATOR_PATH}/apps`, 'Apps'],
  invitations: [`${OPERATOR_PATH}/invitations`, 'Invitations'],
  instance: [`${OPERATOR_PATH}/server`, 'This server'],
  audit: [`${OPERATOR_PATH}/audit`, 'Audit log'],
});

export const PATHS = {
  ...SECTION.paths,
  user: SECTION.paths.users,
  posts: `${OPERATOR_PATH}/posts`,
};

export const operatorPage = SECTION.page;

/** The entries of a page of a list. */
const SHOWN = 20;

/** Returns the request for the page of a list that goes back from the entry in the parameter `before`. */
export function requestOf({ query }: Visit): PageRequest {
  const position = parseId(query.get('before') ?? '');
  if (position === undefined) return { limit: SHOWN };
  return { limit: SHOWN, cursor: { direction: 'next', position, extra: [] } };
}

/** Returns the link to the next page of such a list. */
export function olderLink(
  path: string,
  next: Cursor | undefined,
  filter: Readonly<Record<string, string>> = {},
): Html | undefined {
  if (!next) return undefined;
  const query = new URLSearchParams({ ...filter, before: String(next.position) });
  return html`<p><a class="button plain" rel="next" href="${path}?${query.toString()}">Older</a></p>`;
}

/** Returns page routes for operators only; other users are answered with 403. */
export function forOperators(pages: PageRoutes): PageRoutes {
  return {
    ...pages,
    showToUser: (path, handler) => pages.showToUser(path, ofOperator(handler)),
    acceptFromUser: (path, handler) => pages.acceptFromUser(path, ofOperator(handler)),
    acceptFilesFromUser: (path, handler) => pages.acceptFilesFromUser(path, ofOperator(handler)),
  };
}

function ofOperator<V extends Visit>(handler: PageHandler<SignedInVisit<V>>): PageHandler<SignedInVisit<V>> {
  return (visit) => {
    if (!visit.viewer.isOperator) throw forbidden('Only operators of this server can see these pages.');
    return handler(visit);
  };
}
