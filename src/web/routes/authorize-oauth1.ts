import type { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { html } from '../../api/reference/html.js';
import type { PendingConsent, ThreeLegs, Told } from '../../auth/oauth1/three-legs.js';
import type { AccountDeps } from '../../services/accounts/account-deps.js';
import { appProfile, shownAppName } from '../../services/apps/app-profile.js';
import { APPROVE, consentPage, DECISION_FIELD, NO_PASSWORD } from '../consent.js';
import { signInFirst, type PageRoutes } from '../page-routes.js';
import { limitsOfPermission, wordsOfPermission } from '../scope-words.js';
import { isOfUser, type FormVisit, type SignedInVisit, type Visit } from '../visit.js';

/** The pages of OAuth 1.0a consent (docs/api/authentication.md#three-legged-flow): `authenticate` does not ask again what was allowed before. */
export function oauth1ConsentRoutes(pages: PageRoutes, legs: ThreeLegs, accounts: AccountDeps): PlainRoute[] {
  const ask = async (visit: Visit, asksAlways: boolean): Promise<Answer> => {
    const consent = await legs.find(visit.query.get('oauth_token') ?? '');
    if (!consent) return deadPage(visit);
    if (!isOfUser(visit) || isForced(visit)) return signInFor(visit);
    const { app, callback, permission } = consent;
    const { user } = visit.viewer;
    if (!asksAlways && callback !== undefined) {
      const told = await legs.approveAgain(consent, user.id);
      if (told !== 'not-granted') return goBack(visit, consent, told);
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
    if (!consent) return deadPage(visit);
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
}

function isForced({ query }: Visit): boolean {
  return ['true', '1', 't'].includes(query.get('force_login') ?? '');
}

/** Comes back without `force_login`, which has been heeded then. */
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

function goBack(visit: Visit, consent: PendingConsent, told: Told | undefined): Answer {
  if (told === undefined) return deadPage(visit);
  return 'pin' in told ? pinPage(visit, consent, told.pin) : visit.goTo(told.location);
}

function pinPage(visit: Visit, { app }: PendingConsent, pin: string): Answer {
  return visit.show(
    { title: 'Your PIN' },
    html`<h1>Almost done</h1>
      <div class="card">
        <p>
          Go back to <bdi>${shownAppName(app.name)}</bdi> and type this PIN there to let it use your account:
        </p>
        <p class="pin">${pin}</p>
        <p class="hint">It is good for one use and ten minutes. Give it to nobody else.</p>
      </div>`,
  );
}

function deniedPage(visit: Visit, { app }: PendingConsent): Answer {
  return visit.show(
    { title: 'Denied' },
    html`<h1><bdi>${shownAppName(app.name)}</bdi> may not use your account</h1>
      <p>You can close this page.</p>`,
  );
}

function deadPage(visit: Visit): Answer {
  return visit.show(
    { title: 'Request expired', status: 403 },
    html`<h1>This request is over</h1>
      <p>
        The request token is unknown, was used already, or is older than ten minutes. Go back to the app and
        begin again.
      </p>`,
  );
}
