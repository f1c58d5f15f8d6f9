import type { Answer } from '../../http/answer.js';
import { appProfile } from '../../services/apps/app-profile.js';
import { APPROVE, consentPage, DECISION_FIELD, NO_PASSWORD, refusedRequestPage } from '../consent.js';
import { signInFirst } from '../page-routes.js';
import { limitsOfScopes, wordsOfScopes } from '../scope-words.js';
import { isSignedIn, type Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** The paths that clients use; the first is X's (docs/api/authentication.md#authorize). */
const PATHS = ['/i/oauth2/authorize', '/2/oauth2/authorize', '/oauth2/authorize'] as const;

/** The OAuth 2.0 consent pages. */
export const oauth2ConsentRoutes: CreateRoutes = (pages, context) => {
  const { authorization: endpoint, accounts, autoConsent } = context;
  const ask = async (visit: Visit): Promise<Answer> => {
    const read = await endpoint.read(visit.query);
    if (read.kind === 'refused') {
      const { app, reason, location } = read;
      if (isSignedIn(visit)) return visit.goTo(location);
      const refused = { app: await appProfile(accounts, app), reason, returnUri: location };
      return refusedRequestPage(visit, refused);
    }
    const { app, scopes, redirectUri } = read.request;
    const granting = autoConsent(visit, app, redirectUri);
    if (granting !== undefined) return visit.goTo(await endpoint.approve(read.request, granting));
    if (!isSignedIn(visit)) return signInFirst(visit);
    return consentPage(visit, {
      app: await appProfile(accounts, app),
      requestedScopes: wordsOfScopes(scopes),
      limits: [...limitsOfScopes(scopes), NO_PASSWORD],
      returnUri: redirectUri,
    });
  };
  return PATHS.flatMap((path) => [
    pages.show(path, ask),
    pages.acceptFromUser(path, async (visit) => {
      const read = await endpoint.read(visit.query);
      if (read.kind === 'refused') return visit.goTo(read.location);
      const isApproved = visit.form.get(DECISION_FIELD) === APPROVE;
      return visit.goTo(
        isApproved ? await endpoint.approve(read.request, visit.viewer.user.id) : endpoint.deny(read.request),
      );
    }),
  ]);
};
