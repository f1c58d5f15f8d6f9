import type { PlainRoute } from '../http/plain-route.js';
import type { ThreeLegs } from '../auth/oauth1/three-legs.js';
import type { AuthorizationEndpoint } from '../auth/oauth2/authorization-endpoint.js';
import { createCookieJar } from './cookies.js';
import { createPageRoutes } from './page-routes.js';
import { accountRoutes } from './routes/account/account-routes.js';
import { oauth1ConsentRoutes } from './routes/authorize-oauth1.js';
import { oauth2ConsentRoutes } from './routes/authorize-oauth2.js';
import { consoleRoutes } from './routes/console/console-routes.js';
import type { AppPageDeps } from './routes/console/app-page.js';
import { homeRoutes } from './routes/home.js';
import { messageMediaRoutes } from './routes/message-media.js';
import { postRoutes } from './routes/posts/post-routes.js';
import type { PublicPageDeps } from './routes/posts/public-pages.js';
import { operatorRoutes } from './routes/operator/operator-routes.js';
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
  const cookies = createCookieJar(context.isSecure);
  const pages = createPageRoutes({ ...context, cookies });
  return [
    ...homeRoutes(pages, context),
    ...signInRoutes(pages, context),
    ...signUpRoutes(pages, context),
    ...resetPasswordRoutes(pages, context),
    ...accountRoutes(pages, context),
    ...consoleRoutes(pages, context),
    ...operatorRoutes(pages, context),
    ...messageMediaRoutes(pages, context),
    ...postRoutes(pages, context),
    ...oauth2ConsentRoutes(pages, context.authorization, context.accounts),
    ...oauth1ConsentRoutes(pages, context.legs, context.accounts),
  ];
}
