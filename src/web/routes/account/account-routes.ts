import type { PlainRoute } from '../../../http/plain-route.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import type { WebSessionService } from '../../../services/accounts/web-sessions.js';
import type { PageRoutes } from '../../page-routes.js';
import type { PasswordProof } from '../../password-proof.js';
import { closingRoutes } from './closing.js';
import { connectedAppRoutes } from './connected-apps.js';
import { followRequestRoutes } from './follow-requests.js';
import { passwordRoutes } from './password.js';
import { privacyRoutes } from './privacy.js';
import { profileRoutes } from './profile.js';
import { sessionRoutes } from './sessions.js';

export interface AccountPagesDeps extends PasswordProof {
  readonly accounts: AccountDeps;
  readonly sessions: WebSessionService;
}

/** The routes below `/my-account`: a user's own account. */
export function accountRoutes(pages: PageRoutes, deps: AccountPagesDeps): PlainRoute[] {
  const { accounts, sessions } = deps;
  return [
    ...profileRoutes(pages, accounts),
    ...privacyRoutes(pages, accounts),
    ...followRequestRoutes(pages, accounts),
    ...connectedAppRoutes(pages, accounts),
    ...passwordRoutes(pages, accounts, deps),
    ...sessionRoutes(pages, sessions),
    ...closingRoutes(pages, accounts, deps),
  ];
}
