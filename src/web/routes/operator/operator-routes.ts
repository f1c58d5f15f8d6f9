import type { PlainRoute } from '../../../http/plain-route.js';
import type { PageRoutes } from '../../page-routes.js';
import { operatorAppRoutes } from './apps.js';
import { invitationRoutes, type InvitationDeps } from './invitations.js';
import { createOperatorPages } from './operator-pages.js';
import { recoveryRoutes } from './recovery.js';
import { userListRoutes } from './user-list.js';
import { userPageRoutes } from './user-page.js';

/** The routes below `/operator-desk`: server administration. */
export function operatorRoutes(pages: PageRoutes, deps: InvitationDeps): PlainRoute[] {
  const operatorPages = createOperatorPages(pages);
  const { accounts, publicUrl } = deps;
  return [
    ...userListRoutes(operatorPages, accounts),
    ...userPageRoutes(operatorPages, accounts),
    ...recoveryRoutes(operatorPages, accounts, publicUrl),
    ...operatorAppRoutes(operatorPages, accounts),
    ...invitationRoutes(operatorPages, deps),
  ];
}
