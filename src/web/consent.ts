import type { Answer } from '../http/answer.js';
import { html, type Html } from '../api/reference/html.js';
import type { AppProfile } from '../services/apps/app-profile.js';
import { factList, points } from './lists.js';
import { sourceOf } from './page.js';
import { signInPath } from './page-routes.js';
import type { SignedInVisit, Visit } from './visit.js';

/** The content of a consent page. */
export interface Consent {
  readonly app: AppProfile;
  /** The rights the app requests, one line each. */
  readonly requestedScopes: readonly string[];
  /** Rights the app does not get, stated to reassure the user. */
  readonly limits: readonly string[];
  /** The URI the browser is redirected to; undefined when there is no redirect. */
  readonly returnUri: string | undefined;
}

/** The form field of the decision, and its values. */
export const DECISION_FIELD = 'decision';
export const APPROVE = 'approve';
const DENY = 'deny';

/** Returns the consent page. Its form posts to the page's own URL, which preserves the request's parameters. */
export function consentPage(visit: SignedInVisit, consent: Consent): Answer {
  const { app, requestedScopes, limits, returnUri } = consent;
  const { user } = visit.viewer;
  return visit.show(
    { title: `Allow ${app.name}?`, formTargets: returnUri === undefined ? [] : [sourceOf(returnUri)] },
    html`<h1>Allow <bdi>${app.name}</bdi> to use your account?</h1>
      <p class="lead">You are signed in as <strong>@${user.username}</strong>.</p>
      <form class="card" method="post" action="${visit.request.url}">
        ${visit.csrfField()} ${aboutApp(app)}
        <h2><bdi>${app.name}</bdi> will be able to</h2>
        ${points(requestedScopes)}
        <h2>It will not be able to</h2>
        ${points(limits)}
        ${returnUri !== undefined && html`<p class="hint">You will be redirected to ${placeOf(returnUri)}.</p>`}
        <div class="actions">
          <button name="${DECISION_FIELD}" value="${APPROVE}">Allow</button>
          <button class="plain" name="${DECISION_FIELD}" value="${DENY}">Deny</button>
        </div>
      </form>
      <p class="hint">
        You can revoke this access at any time in your account settings. Not @${user.username}?
        <a href="${signInPath({ next: visit.request.url, again: true })}">Use another account</a>
      </p>`,
  );
}

/** A limit that applies to every app. */
export const NO_PASSWORD = 'See or change your password';

/** Returns the app's unverified description of itself, and its owner. */
function aboutApp({ description, website, owner }: AppProfile): Html {
  return html`${description !== '' && html`<p><bdi>${description}</bdi></p>`}
  ${factList({
    'Made by': owner && html`<bdi>${owner.name}</bdi> (@${owner.username})`,
    Website:
      website !== '' &&
      html`<a href="${website}" rel="nofollow noopener">${website.replace(/^https?:\/\//, '')}</a>`,
  })}`;
}

/** An invalid authorization request, and the way back to the app. */
export interface RefusedRequest {
  readonly app: AppProfile;
  /** The fault of the request. */
  readonly reason: string;
  /** The redirect URI with the error. */
  readonly returnUri: string;
}

/**
 * Returns the page for an invalid request without a signed-in user. It does not redirect automatically: anyone can
 * register an app, and this server would be an open redirector (RFC 9700, section 4.11).
 */
export function refusedRequestPage(visit: Visit, { app, reason, returnUri }: RefusedRequest): Answer {
  return visit.show(
    { title: 'Invalid request', status: 400 },
    html`<h1><bdi>${app.name}</bdi> sent an invalid request</h1>
      <div class="card">
        <p>You cannot sign in with this app now, because its request to this server is not valid.</p>
        <p class="hint">${reason}</p>
        ${aboutApp(app)}
        <div class="actions">
          <a class="button plain" href="${returnUri}" rel="nofollow noopener noreferrer">
            Go back to ${placeOf(returnUri)}
          </a>
        </div>
      </div>`,
  );
}

/** Returns the host of a web page, or the URI scheme of an app on this device. */
function placeOf(uri: string): Html {
  const { protocol, host } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb ? html`<strong>${host}</strong>` : html`an app on this device (<strong>${protocol}</strong>)`;
}
