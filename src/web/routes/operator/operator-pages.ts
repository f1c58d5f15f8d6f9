import type { Answer } from '../../../http/answer.js';
import type { Html } from '../../../api/reference/html.js';
import { forbidden } from '../../../core/errors.js';
import { OPERATOR_PATH } from '../../navigation.js';
import type { PageHandler, PageRoutes } from '../../page-routes.js';
import { sectionPage, type Section, type SectionPage } from '../../section-page.js';
import type { SignedInVisit, Visit } from '../../visit.js';

export const PATHS = {
  users: OPERATOR_PATH,
  user: `${OPERATOR_PATH}/users`,
  apps: `${OPERATOR_PATH}/apps`,
  invitations: `${OPERATOR_PATH}/invitations`,
} as const;

const SECTION: Section = {
  label: 'Operator desk',
  links: [
    { path: PATHS.users, label: 'Users' },
    { path: PATHS.apps, label: 'Apps' },
    { path: PATHS.invitations, label: 'Invitations' },
  ],
};

export function operatorPage(visit: Visit, options: SectionPage, body: Html): Answer {
  return sectionPage(visit, SECTION, options, body);
}

/** Returns page routes for operators only; other users are answered with 403. */
export function forOperators(pages: PageRoutes): PageRoutes {
  return {
    ...pages,
    showToUser: (path, handler) => pages.showToUser(path, ofOperator(handler)),
    acceptFromUser: (path, handler) => pages.acceptFromUser(path, ofOperator(handler)),
  };
}

function ofOperator<V extends Visit>(handler: PageHandler<SignedInVisit<V>>): PageHandler<SignedInVisit<V>> {
  return (visit) => {
    if (!visit.viewer.isOperator) throw forbidden('Only operators of this server can see these pages.');
    return handler(visit);
  };
}
