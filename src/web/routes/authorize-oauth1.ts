import type { Answer } from '../../http/answer.js';
import { html } from '../../api/reference/html.js';
import type { PendingConsent, ApprovalResult } from '../../auth/oauth1/three-legs.js';
import { appProfile, shownAppName } from '../../services/apps/app-profile.js';
import { APPROVE, consentPage, DECISION_FIELD, NO_PASSWORD } from '../consent.js';
import { signInFirst } from '../page-routes.js';
import { limitsOfPermission, wordsOfPermission } from '../scope-words.js';
import { isSignedIn, type FormVisit, type SignedInVisit, type Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/**
 * The OAuth 1.0a consent pages (docs/api/authentication.md#three-legged-flow). `authenticate` skips the question when
 * the user already authorized the app.
 */
export const oauth1ConsentRoutes: CreateRoutes = (pages, { legs, accounts, autoConsent }) => {
  const ask = async (visit: Visit, asksAlways: boolean): Promise<Answer> => {
    const consent = await legs.find(visit.query.get('oauth_token') ?? '');
    if (!consent) return expiredPage(visit);
    const { app, callback, permission } = consent;
    const granting = autoConsent(visit, app, callback);
    if (granting !== undefined) return goBack(visit, consent, await legs.approve(consent, granting));
    if (!isSignedIn(visit) || isForced(visit)) return signInFor(visit);
    const { user } = visit.viewer;
    if (!asksAlways && callback !== undefined) {
      const result = await legs.approveAgain(consent, user.id);
      if (result !== 'not-granted') return goBack(visit, consent, result);
    }
    return consentPage(visit, {
      app: await appProfile(accounts, app),
      requestedScopes: wordsOfPermission(permission),
      limits: [...limitsOfPermission(permission), NO_PASSWORD],
      returnUri: callback,
    });
  };
  const decide = async (visit: SignedInVisit<FormVisit>): Promise<Answer> => {
    const consent = await legs.find(visit.query.get('oauth_token') ?? '');
    if (!consent) return expiredPage(visit);
    if (visit.form.get(DECISION_FIELD) === APPROVE) {
      return goBack(visit, consent, await legs.approve(consent, visit.viewer.user.id));
    }
    const location = await legs.deny(consent);
    return location === undefined ? deniedPage(visit, consent) : visit.goTo(location);
  };
  return [
    pages.show('/oauth/authorize', (visit) => ask(visit, true)),
    pages.acceptFromUser('/oauth/authorize', decide),
    pages.show('/oauth/authenticate', (visit) => ask(visit, false)),
    pages.acceptFromUser('/oauth/authenticate', decide),
  ];
};

function isForced({ query }: Visit): boolean {
  return ['true', '1', 't'].includes(query.get('force_login') ?? '');
}

/** Returns without `force_login`, which the sign-in has satisfied. */
function signInFor(visit: Visit): Answer {
  const query = new URLSearchParams(visit.query);
  query.delete('force_login');
  const path = visit.request.url.split('?', 1)[0] ?? '';
  return signInFirst(visit, {
    next: `${path}?${query.toString()}`,
    username: query.get('screen_name') ?? undefined,
    again: isForced(visit),
  });
}

function goBack(visit: Visit, consent: PendingConsent, result: ApprovalResult | undefined): Answer {
  if (result === undefined) return expiredPage(visit);
  return 'pin' in result ? pinPage(visit, consent, result.pin) : visit.goTo(result.location);
}

function pinPage(visit: Visit, { app }: PendingConsent, pin: string): Answer {
  return visit.show(
    { title: 'Your PIN' },
    html`<h1>Almost done</h1>
      <div class="card">
        <p>To give <bdi>${shownAppName(app.name)}</bdi> access to your account, enter this PIN in the app:</p>
        <p class="pin">${pin}</p>
        <p class="hint">
          It can be used once and expires after ten minutes. Do not share it with anyone else.
        </p>
      </div>`,
  );
}

function deniedPage(visit: Visit, { app }: PendingConsent): Answer {
  return visit.show(
    { title: 'Denied' },
    html`<h1>You denied <bdi>${shownAppName(app.name)}</bdi> access to your account</h1>
      <p>You can close this page.</p>`,
  );
}

function expiredPage(visit: Visit): Answer {
  return visit.show(
    { title: 'Request expired', status: 403 },
    html`<h1>This request has expired</h1>
      <p>
        The request token is unknown, was already used, or is older than ten minutes. Go back to the app and
        start again.
      </p>`,
  );
}
