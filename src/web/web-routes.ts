import type { PlainRoute } from '../http/plain-route.js';
import type { ThreeLegs } from '../auth/oauth1/three-legs.js';
import type { AuthorizationEndpoint } from '../auth/oauth2/authorization-endpoint.js';
import { createCookieJar } from './cookies.js';
import { createPageRoutes, type PageRoutes } from './page-routes.js';
import { closingRoutes } from './routes/account/closing.js';
import { connectedAppRoutes } from './routes/account/connected-apps.js';
import { followRequestRoutes } from './routes/account/follow-requests.js';
import { passwordRoutes } from './routes/account/password.js';
import { privacyRoutes } from './routes/account/privacy.js';
import { profileRoutes } from './routes/account/profile.js';
import { sessionRoutes } from './routes/account/sessions.js';
import { oauth1ConsentRoutes } from './routes/authorize-oauth1.js';
import { oauth2ConsentRoutes } from './routes/authorize-oauth2.js';
import { appKeyRoutes } from './routes/console/app-keys.js';
import { appListRoutes } from './routes/console/app-list.js';
import { appPageRoutes, type AppPageDeps } from './routes/console/app-page.js';
import { homeRoutes } from './routes/home.js';
import { messageMediaRoutes } from './routes/message-media.js';
import { showAttached, showPost } from './routes/posts/post-page.js';
import { showProfile } from './routes/posts/profile-page.js';
import { publicPage, type PublicPageDeps } from './routes/posts/public-pages.js';
import { showTagged } from './routes/posts/tag-page.js';
import { operatorAppRoutes } from './routes/operator/apps.js';
import { invitationRoutes } from './routes/operator/invitations.js';
import { createOperatorPages } from './routes/operator/operator-pages.js';
import { userListRoutes } from './routes/operator/user-list.js';
import { recoveryRoutes, userPageRoutes } from './routes/operator/user-page.js';
import { resetPasswordRoutes } from './routes/reset-password.js';
import { signInRoutes, type SignInDeps } from './routes/sign-in.js';
import { signUpRoutes, type SignUpRoutesDeps } from './routes/sign-up.js';
import type { VisitDeps } from './visit.js';

/** The dependencies of all pages. */
export interface WebContext
  extends
    Omit<SignInDeps, 'signUp'>,
    SignUpRoutesDeps,
    AppPageDeps,
    PublicPageDeps,
    Omit<VisitDeps, 'cookies'> {
  readonly authorization: AuthorizationEndpoint;
  readonly legs: ThreeLegs;
  /** The base URL of the server. */
  readonly publicUrl: string;
  /** True when browsers use TLS; cookies are then Secure. */
  readonly isSecure: boolean;
}

/** Returns the routes of all pages and forms. */
export function webRoutes(context: WebContext): PlainRoute[] {
  const { accounts } = context;
  const cookies = createCookieJar(context.isSecure);
  const pages = createPageRoutes({ ...context, cookies });
  return [
    ...homeRoutes(pages, context),
    ...signInRoutes(pages, context),
    ...signUpRoutes(pages, context),
    ...resetPasswordRoutes(pages, context),
    ...accountRoutes(pages, context),
    ...appListRoutes(pages, accounts),
    ...appPageRoutes(pages, context),
    ...appKeyRoutes(pages, accounts),
    ...operatorRoutes(pages, context),
    ...messageMediaRoutes(pages, context),
    ...postRoutes(pages, context),
    ...oauth2ConsentRoutes(pages, context.authorization, accounts),
    ...oauth1ConsentRoutes(pages, context.legs, accounts),
  ];
}

/** Returns the routes below `/my-account`: a user's own account. */
function accountRoutes(pages: PageRoutes, context: WebContext): PlainRoute[] {
  const { accounts, sessions } = context;
  return [
    ...profileRoutes(pages, accounts),
    ...privacyRoutes(pages, accounts),
    ...followRequestRoutes(pages, accounts),
    ...connectedAppRoutes(pages, accounts),
    ...passwordRoutes(pages, accounts, context),
    ...sessionRoutes(pages, sessions),
    ...closingRoutes(pages, accounts, context),
  ];
}

/** Returns the routes below `/operator-desk`: server administration. */
function operatorRoutes(pages: PageRoutes, context: WebContext): PlainRoute[] {
  const operatorPages = createOperatorPages(pages);
  const { accounts, publicUrl } = context;
  return [
    ...userListRoutes(operatorPages, accounts),
    ...userPageRoutes(operatorPages, accounts),
    ...recoveryRoutes(operatorPages, accounts, publicUrl),
    ...operatorAppRoutes(operatorPages, accounts),
    ...invitationRoutes(operatorPages, context),
  ];
}

/** The routes of posts and profiles, which links in posts lead to. */
function postRoutes(pages: PageRoutes, deps: PublicPageDeps): PlainRoute[] {
  return [
    publicPage(pages, deps, '/{username}', (visit) => showProfile(visit, deps)),
    publicPage(pages, deps, '/i/user/{id}', (visit) => showProfile(visit, deps)),
    publicPage(pages, deps, '/i/web/status/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/hashtag/{tag}', (visit) => showTagged(visit, deps, '#')),
    publicPage(pages, deps, '/cashtag/{tag}', (visit) => showTagged(visit, deps, '$')),
    publicPage(pages, deps, '/{username}/status/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/{username}/statuses/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/{username}/status/{id}/photo/{number}', (visit) => showAttached(visit, deps)),
    publicPage(pages, deps, '/{username}/status/{id}/video/{number}', (visit) => showAttached(visit, deps)),
  ];
}
